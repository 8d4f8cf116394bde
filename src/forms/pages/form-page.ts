import type { Reply } from '#core/endpoint/reply.ts';
import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Tools } from '#core/tools.ts';
import type { View, Work } from '#core/work.ts';
import { html } from '#lib/html.ts';
import { hashedId, isIdInAnyCase, newId } from '#lib/id.ts';
import { countryOf, toE164 } from '#lib/phone.ts';
import { seeOther } from '#lib/page-parts.ts';
import { fileFieldsOf, waitingFiles } from '../form-files.ts';
import { brandOf, theForm, type Form } from '../form.store.ts';
import { HONEYPOT } from '../read-fields.ts';
import { submitForm } from '../submit-form.ts';
import { formView, fieldErrorsIn, type FilledForm, typedInto } from './form-view.ts';
import { pageOf, languageOf, headersOf } from './layout.ts';

type FormState = Omit<Parameters<typeof formView>[1], 'messages' | 'once' | 'filesMaxBytes'>;

export async function showForm(view: View, formId: string, tools: Tools): Promise<Reply> {
  const form = await theForm(view, formId);
  return { data: null, document: formPage(view, form, tools) };
}

function formPage({ now }: View, form: Form, { files }: Tools, state: FormState = {}) {
  const { name, locale, languages, redirectUrl } = form;
  const brand = brandOf(form);
  const language = languageOf(locale, languages);
  const main = formView(form, {
    messages: language.messages,
    once: newId(now),
    filesMaxBytes: files.maxBytes,
    ...state,
  });
  return pageOf({ language, title: name, brand, main, redirectUrl });
}

/** The page after a submission: reloading it sends nothing. */
export async function showSent(view: View, formId: string): Promise<Reply> {
  const form = await theForm(view, formId);
  const { locale, languages, message } = form;
  const brand = brandOf(form);
  const language = languageOf(locale, languages);
  const { messages } = language;
  const main = html`<p class="lead" role="status">${message ?? messages.sentLead}</p>`;
  return {
    data: null,
    document: pageOf({ language, title: messages.sent, brand, main, depth: 2, isDone: true }),
  };
}

interface SentForm {
  readonly formId: string;
  readonly filled: FilledForm;
  /** The public address of the page. */
  readonly pageUrl: string;
  readonly secrets: Secrets;
}

/** Submits the body that a browser sends, and redirects. */
export async function sendForm(work: Work, sent: SentForm): Promise<Reply> {
  const { formId, filled, pageUrl, secrets } = sent;
  const form = await theForm(work, formId);
  const { captchaToken } = filled;
  const country = countryOf(form.timezone, form.locale);
  const fields = {
    ...Object.fromEntries(
      form.fields.map(({ name, type }) => {
        const typed = typedInto(filled, name);
        return [name, type === 'phone' ? (toE164(typed, country) ?? typed) : typed];
      }),
    ),
    [HONEYPOT]: filled.website,
  };
  await submitForm(
    work,
    secrets,
    { formId, fields, pageUrl, ...(captchaToken !== undefined && { captchaToken }) },
    submissionIdOf(form, filled),
  );
  return redirectAfter(form);
}

/**
 * Returns the form with the typed values and their errors. If the submission is stored already, returns
 * the same redirect as for the first one.
 */
export async function refuseForm(
  view: View,
  fault: Fault,
  { formId, filled, tools }: Pick<SentForm, 'formId' | 'filled'> & { readonly tools: Tools },
): Promise<Reply> {
  if (fault.code !== 'VALIDATION_ERROR') {
    throw fault;
  }
  const form = await theForm(view, formId);
  if (await wasSubmitted(view, submissionIdOf(form, filled))) {
    return redirectAfter(form);
  }
  const { messages } = languageOf(form.locale, form.languages);
  const errors = fieldErrorsIn(fault, form, filled, messages);
  const alert = errors.size > 0 ? undefined : alertFor(fault, messages);
  const tokens = fileFieldsOf(form).map(({ name }) => [name, typedInto(filled, name)]);
  const uploaded = await waitingFiles(view, tools.secrets, form, Object.fromEntries(tokens));
  const state = { filled, uploaded, errors, alert };
  return { status: 400, data: null, document: formPage(view, form, tools, state) };
}

const alertFor = (
  { details }: Fault,
  messages: { robot: string; badRequestLead: string },
): string => (reasonIn(details) === 'captcha_failed' ? messages.robot : messages.badRequestLead);

const reasonIn = (details: Fault['details']): unknown => details && Reflect.get(details, 'reason');

/**
 * Returns the id of what a page sends, which is the same for a double click, but not after a visitor went
 * back and corrected a value. Undefined for a page without an id of its own.
 */
function submissionIdOf({ id, fields }: Form, filled: FilledForm): string | undefined {
  const typed = fields.map(({ name }) => [name, typedInto(filled, name)]);
  return isIdInAnyCase(filled.once)
    ? hashedId(JSON.stringify([id, filled.once.toLowerCase(), typed]))
    : undefined;
}

/** A double click sends a form twice: the second request must not show an error. */
async function wasSubmitted(view: View, submissionId: string | undefined): Promise<boolean> {
  const submissions = submissionId
    ? await view.rows(SUBMISSION, [view.subAccountId, submissionId])
    : [];
  return submissions.length > 0;
}

const SUBMISSION = 'select id from form_submissions where sub_account_id = $1 and id = $2';

/** `new URL` encodes the address: headers must be ASCII. */
const redirectAfter = ({ id, redirectUrl }: Form): Reply =>
  seeOther(redirectUrl === null ? `${id}/sent` : new URL(redirectUrl).href, headersOf(redirectUrl));
