// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface FormConfig {
  formId: string;
  subAccountId: string;
  brand: string;
  name: string;
  /** whether a submission needs a solved challenge */
  captcha: boolean;
  /** name of a field to hide from people; submissions that fill it in are dropped */
  honeypot: string;
  /** URL of the form as a hosted page */
  pageUrl: string;
  fields: {
    name: string;
    label: string;
    type:
      | 'text'
      | 'textarea'
      | 'email'
      | 'phone'
      | 'number'
      | 'select'
      | 'checkbox'
      | 'date'
      | 'url'
      | 'file';
    required: boolean;
    /** options of a select */
    options: string[] | null;
    /** heading of the step that begins here */
    step?: string;
    /** of a file: content types and extensions, as an input accepts them */
    accept?: string[];
    /** of a file: its largest size */
    maxBytes?: number;
    showIf?: {
      field: string;
      equals: string;
    };
  }[];
}

export interface CaptchaChallenge {
  parameters: {
    algorithm: string;
    cost: number;
    keyLength: number;
    /** hex; the derived key must begin with it */
    keyPrefix: string;
    nonce: string;
    salt: string;
    keySignature: string;
    /** epoch seconds */
    expiresAt: number;
    data?: {
      /** the form that the challenge is for */
      formId: string;
    };
  };
  signature: string;
}

export interface FormSubmission {
  submissionId: string;
  /** text to show to the visitor */
  message: string | null;
  /** URL to send the visitor to; always from the form's definition */
  redirectUrl: string | null;
}

export interface FormsConfigQuery {
  formId: string;
}

export interface FormsCaptchaQuery {
  /** the form that the challenge is for; default: any form */
  formId?: string | undefined;
}

export interface FormsSubmitBody {
  formId: string;
  /** values by field name; `website` must stay empty */
  fields: Readonly<Record<string, unknown>>;
  /** URL of the page that contains the form */
  pageUrl?: string | null | undefined;
  /** the solved challenge in base64; required if `captcha` is true */
  captchaToken?: string | null | undefined;
}

export const forms = (api: Api) => ({
  /** Get a form and its fields. */
  config: (query: FormsConfigQuery, options?: CallOptions) =>
    api.data<FormConfig>('GET', path`/api/forms/config`, { query, options }),

  /**
   * Get a challenge for a form with a captcha.
   *
   * Returns a proof-of-work challenge (ALTCHA, version 2). Send `captchaToken`: the base64 of
   * `{challenge, solution: {counter, derivedKey}}`, as the ALTCHA widget creates it. Each
   * challenge can be used once, within 30 minutes.
   */
  captcha: (query: FormsCaptchaQuery = {}, options?: CallOptions) =>
    api.data<CaptchaChallenge>('GET', path`/api/forms/captcha`, { query, options }),

  /**
   * Submit a form.
   *
   * The contact is found by email, or created. For a known contact, only empty fields other
   * than addresses are filled in, and tags are added. A refusal lists all wrong `fields` at
   * once. If the captcha is missing, wrong or already used, `details.reason` is
   * `captcha_failed`. Accepts JSON only; the value of a file field is the token of `POST
   * /api/forms/files`. A request that is repeated with the same body and `Idempotency-Key`
   * submits once and gets the first response again. Fires `form.submitted`, after
   * `contact.created`, or after `contact.updated` if the contact changed.
   */
  submit: (body: FormsSubmitBody, options?: CallOptions) =>
    api.data<FormSubmission>('POST', path`/api/forms/submit`, {
      body,
      options,
      isRepeatable: true,
    }),
});
