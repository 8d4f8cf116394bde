import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { AGENCY } from '#lib/id.ts';
import { newChallenge } from './challenge.ts';
import {
  challengeQuery,
  challengeSchema,
  formConfig,
  formQuery,
  formSubmit,
  submissionSchema,
} from './form.schema.ts';
import { readConfig, ownerOf } from './form.store.ts';
import { submitForm } from './submit-form.ts';

/** Endpoints for forms on any web site. */
export const formEndpoints = [
  definePublicEndpoint({
    id: 'forms.config',
    method: 'GET',
    path: '/api/forms/config',
    summary: 'Get what a form asks',
    query: formQuery,
    data: formConfig,
    owner: ({ view, query }) => ownerOf(view, query.formId),
    read: async ({ view, query: { formId }, baseUrl }) => ({
      data: await readConfig(view, formId, baseUrl),
    }),
  }),

  definePublicEndpoint({
    id: 'forms.captcha',
    method: 'GET',
    path: '/api/forms/captcha',
    summary: 'Get a challenge for a form with a captcha',
    description:
      'A proof of work, version 2 of ALTCHA. `captchaToken` is the base64 of `{challenge, solution: {counter, derivedKey}}`, as its widget makes it. Each challenge counts once, within half an hour.',
    query: challengeQuery,
    data: challengeSchema,
    owner: async ({ view, query: { formId } }) =>
      formId === undefined ? AGENCY : ownerOf(view, formId),
    read: async ({ view, query: { formId }, tools: { secrets } }) => ({
      data: await newChallenge(secrets, view.now, formId?.toLowerCase()),
    }),
  }),

  definePublicEndpoint({
    id: 'forms.submit',
    method: 'POST',
    path: '/api/forms/submit',
    summary: 'Submit a form',
    description:
      'The contact is whoever has the email, else a new one; of a known one only empty fields other than phones are filled in, and tags added. What is wrong with `fields` is said of all of them at once; where the captcha is missing, wrong or used, `details.reason` is `captcha_failed`. Takes JSON only, and no files. Fires `form.submitted`, and before it `contact.created`, or `contact.updated` where something was filled in.',
    limit: 'form',
    body: formSubmit,
    data: submissionSchema,
    status: 201,
    owner: ({ view, body }) => ownerOf(view, body.formId),
    write: async ({ work, body, tools: { secrets } }) => ({
      data: await submitForm(work, secrets, body),
    }),
  }),
];
