import type { Reply } from '#core/endpoint/reply.ts';
import { html } from '#lib/html.ts';
import { newId } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import { theForm, type Form } from '../form.store.ts';
import { formView } from './form-view.ts';
import { pageOf } from './layout.ts';
import { localeOf } from './locale.ts';

type Filled = Omit<Parameters<typeof formView>[1], 'words' | 'once'>;

export async function showForm(view: View, formId: string): Promise<Reply> {
  const form = await theForm(view, formId);
  return { data: null, document: formPage(view, form) };
}

export function formPage({ now }: View, form: Form, filled: Filled = {}) {
  const { name, brand, locale, captcha, redirectUrl } = form;
  const pageLocale = localeOf(locale);
  const main = formView(form, { words: pageLocale.words, once: newId(now), ...filled });
  return pageOf({ pageLocale, title: name, brand, main, redirectUrl, isScripted: captcha });
}

/** Where whoever sent the form arrives, so that loading it again sends nothing. */
export async function showSent(view: View, formId: string): Promise<Reply> {
  const { brand, locale, message } = await theForm(view, formId);
  const pageLocale = localeOf(locale);
  const { words } = pageLocale;
  const main = html`<p class="lead">${message ?? words.sentLead}</p>
    <p><a href="../${formId}">${words.again}</a></p>`;
  return { data: null, document: pageOf({ pageLocale, title: words.sent, brand, main, depth: 2 }) };
}
