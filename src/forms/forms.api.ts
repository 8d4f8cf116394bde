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
    summary: 'Get a form and its fields',
    limit: 'public_read',
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
      'Returns a proof-of-work challenge (ALTCHA, version 2). Send `captchaToken`: the base64 of `{challenge, solution: {counter, derivedKey}}`, as the ALTCHA widget creates it. Each challenge can be used once, within 30 minutes.',
    limit: 'captcha',
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
      'The contact is found by email, or created. For a known contact, only empty fields other than addresses are filled in, and tags are added. A refusal lists all wrong `fields` at once. If the captcha is missing, wrong or already used, `details.reason` is `captcha_failed`. Accepts JSON only, no files. Fires `form.submitted`, after `contact.created`, or after `contact.updated` if the contact changed.',
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
