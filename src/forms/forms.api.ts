import { fileBody } from '#core/endpoint/file-body.ts';
import { definePublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import { AGENCY } from '#lib/id.ts';
import { storeUpload, uploadOf } from '../files/upload-file.ts';
import { newChallenge } from './challenge.ts';
import {
  challengeQuery,
  challengeSchema,
  formConfig,
  formFileQuery,
  formFileSchema,
  formQuery,
  formSubmit,
  submissionSchema,
} from './form.schema.ts';
import { limitsOf } from './file-field.ts';
import { fileFieldNamed, insertFormFile, uploadToken } from './form-files.ts';
import { readConfig, ownerOf, theForm } from './form.store.ts';
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
    read: async ({ view, query: { formId }, baseUrl, tools: { files } }) => ({
      data: await readConfig(view, formId, { baseUrl, filesMaxBytes: files.maxBytes }),
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
      'The contact is found by email, or created. For a known contact, only empty fields other than addresses are filled in, and tags are added. A refusal lists all wrong `fields` at once. If the captcha is missing, wrong or already used, `details.reason` is `captcha_failed`. Accepts JSON only; the value of a file field is the token of `POST /api/forms/files`. A request that is repeated with the same body and `Idempotency-Key` submits once and gets the first response again. Fires `form.submitted`, after `contact.created`, or after `contact.updated` if the contact changed.',
    limit: 'form',
    body: formSubmit,
    data: submissionSchema,
    status: 201,
    owner: ({ view, body }) => ownerOf(view, body.formId),
    // A page may send one key for all its visitors: none of their submissions is refused for it.
    idempotencyOwner: ({ body }) => JSON.stringify(body),
    write: async ({ work, body, tools: { secrets } }) => ({
      data: await submitForm(work, secrets, body),
    }),
  }),

  definePublicEndpoint({
    id: 'forms.file',
    method: 'POST',
    path: '/api/forms/files',
    summary: 'Upload a file for a field of a form',
    description:
      'The body is the content itself, of a type and size that the field accepts; the bytes decide on the type. Submit `token` as the value of the field within 24 hours; otherwise the file is deleted. Fires no event.',
    limit: 'form_file',
    query: formFileQuery,
    body: fileBody,
    data: formFileSchema,
    status: 201,
    faults: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
    owner: ({ view, query }) => ownerOf(view, query.formId),
    async prepare({ view, body, query: { formId, field, name }, tools: { files }, change }) {
      const limits = limitsOf(fileFieldNamed(await theForm(view, formId), field), files.maxBytes);
      const { subAccountId } = view;
      const context = { files, subAccountId, change, isOfVisitor: true } as const;
      await storeUpload(context, body, name, limits);
    },
    async write({ work, body, query: { formId, field }, tools: { secrets } }) {
      const { id } = await theForm(work, formId);
      const file = uploadOf(body);
      await insertFormFile(work, id, file);
      const token = uploadToken(secrets, work, file.id, { formId: id, field });
      return { data: { token, name: file.name, type: file.type, size: file.size } };
    },
  }),
];
