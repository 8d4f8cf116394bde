import { Fault } from '#core/fault.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View, Work } from '#core/work.ts';
import { isId } from '../../accounts/sub-accounts/named-sub-account.ts';
import { HONEYPOT } from '../read-fields.ts';
import { submitForm } from '../submit-form.ts';
import { theForm, type Form } from '../form.store.ts';
import { fieldErrorsIn, typedInto, type FilledForm } from './filled-form.ts';
import { headersOf } from './layout.ts';
import { formPage } from './show-form.ts';
import { localeOf } from './locale.ts';

interface SentForm {
  readonly formId: string;
  readonly filled: FilledForm;
  /** The public address of the page. */
  readonly pageUrl: string;
  readonly secrets: Secrets;
}

/** Submits what a browser sends, and leads on. */
export async function sendForm(work: Work, sent: SentForm): Promise<Reply> {
  const { formId, filled, pageUrl, secrets } = sent;
  const form = await theForm(work, formId);
  const { captchaToken, once } = filled;
  const fields = {
    ...Object.fromEntries(form.fields.map(({ name }) => [name, typedInto(filled, name)])),
    [HONEYPOT]: filled.website,
  };
  await submitForm(
    work,
    secrets,
    { formId, fields, pageUrl, ...(captchaToken !== undefined && { captchaToken }) },
    isId(once) ? once.toLowerCase() : undefined,
  );
  return leadOn(form);
}

/** The form again with what was typed, and what is wrong with it; of one that is there already the same as then. */
export async function refuseForm(
  view: View,
  fault: Fault,
  { formId, filled }: Pick<SentForm, 'formId' | 'filled'>,
): Promise<Reply> {
  if (fault.code !== 'VALIDATION_ERROR') {
    throw fault;
  }
  const form = await theForm(view, formId);
  if (await isThere(view, filled.once)) {
    return leadOn(form);
  }
  const { words } = localeOf(form.locale);
  const errors = fieldErrorsIn(fault, form, filled, words);
  const alert = errors.size > 0 ? undefined : alertFor(fault, words);
  return { status: 400, data: null, document: formPage(view, form, { filled, errors, alert }) };
}

const alertFor = ({ details }: Fault, words: { robot: string; badRequestLead: string }): string =>
  reasonIn(details) === 'captcha_failed' ? words.robot : words.badRequestLead;

const reasonIn = (details: Fault['details']): unknown => details && Reflect.get(details, 'reason');

/** A double click sends a form twice, and one of them is too late. */
async function isThere(view: View, once: string | undefined): Promise<boolean> {
  const found = isId(once) ? await view.rows(SUBMISSION, [view.subAccountId, once]) : [];
  return found.length > 0;
}

const SUBMISSION = 'select id from form_submissions where sub_account_id = $1 and id = $2';

/** Addresses in a header are ASCII, whatever the definition has. */
const leadOn = ({ id, redirectUrl }: Form): Reply => ({
  status: 303,
  data: null,
  document: {
    type: 'text/html; charset=utf-8',
    body: '',
    headers: {
      ...headersOf(redirectUrl),
      location: redirectUrl === null ? `${id}/sent` : new URL(redirectUrl).href,
    },
  },
});
