// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import type { CallOptions } from '../options.ts';
import { path } from '../path.ts';

export interface FormConfig {
  formId: string;
  subAccountId: string;
  brand: string;
  name: string;
  /** a submission wants a solved challenge */
  captcha: boolean;
  /** a field to hide from people: what robots fill in is dropped */
  honeypot: string;
  /** the same form as a page */
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
      | 'url';
    required: boolean;
    /** of a select */
    options: string[] | null;
  }[];
}

export interface CaptchaChallenge {
  parameters: {
    algorithm: string;
    cost: number;
    keyLength: number;
    /** hex, with which the derived key is to begin */
    keyPrefix: string;
    nonce: string;
    salt: string;
    keySignature: string;
    /** epoch seconds */
    expiresAt: number;
    data?: {
      /** the form that it is for */
      formId: string;
    };
  };
  signature: string;
}

export interface FormSubmission {
  submissionId: string;
  /** what to tell the visitor */
  message: string | null;
  /** where to lead him; always from the form's definition */
  redirectUrl: string | null;
}

export interface FormsConfigQuery {
  formId: string;
}

export interface FormsCaptchaQuery {
  /** the form that it is for; without it, any */
  formId?: string | undefined;
}

export interface FormsSubmitBody {
  formId: string;
  /** values by the names of the fields; `website` is to stay empty */
  fields: Readonly<Record<string, unknown>>;
  /** the page that the form is on */
  pageUrl?: string | null | undefined;
  /** the solved challenge, in base64; required where the form says so */
  captchaToken?: string | null | undefined;
}

export const forms = (api: Api) => ({
  /** Get what a form asks. */
  config: (query: FormsConfigQuery, options?: CallOptions) =>
    api.data<FormConfig>('GET', path`/api/forms/config`, { query, options }),

  /**
   * Get a challenge for a form with a captcha.
   *
   * A proof of work, version 2 of ALTCHA. `captchaToken` is the base64 of `{challenge,
   * solution: {counter, derivedKey}}`, as its widget makes it. Each challenge counts once,
   * within half an hour.
   */
  captcha: (query: FormsCaptchaQuery = {}, options?: CallOptions) =>
    api.data<CaptchaChallenge>('GET', path`/api/forms/captcha`, { query, options }),

  /**
   * Submit a form.
   *
   * The contact is whoever has the email, else a new one; of a known one only empty fields
   * other than phones are filled in, and tags added. What is wrong with `fields` is said of all
   * of them at once; where the captcha is missing, wrong or used, `details.reason` is
   * `captcha_failed`. Takes JSON only, and no files. Fires `form.submitted`, and before it
   * `contact.created`, or `contact.updated` where something was filled in.
   */
  submit: (body: FormsSubmitBody, options?: CallOptions) =>
    api.data<FormSubmission>('POST', path`/api/forms/submit`, { body, options }),
});
