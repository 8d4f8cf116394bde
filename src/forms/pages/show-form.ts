import type { Reply } from '#core/endpoint/reply.ts';
import { html } from '#lib/html.ts';
import { newId } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import { theForm, type Form } from '../form.store.ts';
import { formView } from './form-view.ts';
import { pageOf, languageOf } from './layout.ts';

type FormState = Omit<Parameters<typeof formView>[1], 'messages' | 'once'>;

export async function showForm(view: View, formId: string): Promise<Reply> {
  const form = await theForm(view, formId);
  return { data: null, document: formPage(view, form) };
}

export function formPage({ now }: View, form: Form, state: FormState = {}) {
  const { name, brand, locale, captcha, redirectUrl } = form;
  const language = languageOf(locale);
  const main = formView(form, { messages: language.messages, once: newId(now), ...state });
  return pageOf({ language, title: name, brand, main, redirectUrl, isScripted: captcha });
}

/** The page after a submission: reloading it sends nothing. */
export async function showSent(view: View, formId: string): Promise<Reply> {
  const { brand, locale, message } = await theForm(view, formId);
  const language = languageOf(locale);
  const { messages } = language;
  const main = html`<p class="lead">${message ?? messages.sentLead}</p>
    <p><a href="../${formId}">${messages.again}</a></p>`;
  return {
    data: null,
    document: pageOf({ language, title: messages.sent, brand, main, depth: 2 }),
  };
}
