import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { filePage, webFile } from '#platform/http/static.ts';
import { errorPage } from './layout.ts';
import { filledForm } from './form-view.ts';
import { refuseForm, sendForm, showForm, showSent } from './form-page.ts';
import { pageMaxBytes } from '../form-files.ts';
import { ownerOf, theForm } from '../form.store.ts';
import { storeSentFiles } from './store-sent-files.ts';

const params = s.request({ formId: Type.String() });

/** Hosted forms. They work without JavaScript unless they have a captcha. */
export const formPages = [
  definePageEndpoint({
    id: 'forms.page',
    method: 'GET',
    path: '/f/:formId',
    summary: 'The page of a form',
    limit: 'availability',
    params,
    error: errorPage(),
    owner: ({ view, params: { formId } }) => ownerOf(view, formId),
    read: ({ view, params: { formId }, tools }) => showForm(view, formId, tools),
  }),

  definePageEndpoint({
    id: 'forms.send',
    method: 'POST',
    path: '/f/:formId',
    summary: 'Submit the page of a form',
    limit: 'form',
    params,
    body: filledForm,
    takes: ['multipart/form-data'],
    files: {
      limit: 'form_file',
      maxBytes: async ({ view, params: { formId }, tools: { files } }) =>
        pageMaxBytes(await theForm(view, formId), files.maxBytes),
    },
    error: errorPage(),
    refused: (fault, { view, params: { formId }, body: filled, tools }) =>
      refuseForm(view, fault, { formId, filled, tools }),
    prepare: ({ view, params: { formId }, body: filled, tools, change }) =>
      storeSentFiles({ view, formId, filled, tools, change }),
    owner: ({ view, params: { formId } }) => ownerOf(view, formId),
    write: ({ work, params: { formId }, body: filled, tools: { secrets }, baseUrl }) => {
      const pageUrl = `${baseUrl}/f/${formId.toLowerCase()}`;
      return sendForm(work, { formId, filled, pageUrl, secrets });
    },
  }),

  definePageEndpoint({
    id: 'forms.sent',
    method: 'GET',
    path: '/f/:formId/sent',
    summary: 'The page after a form was sent',
    limit: 'availability',
    params,
    error: errorPage(2),
    owner: ({ view, params: { formId } }) => ownerOf(view, formId),
    read: ({ view, params: { formId } }) => showSent(view, formId),
  }),

  filePage({
    id: 'forms.script',
    path: '/forms/form.js',
    summary: 'The script of form pages: steps, conditions, errors, captcha',
    type: 'text/javascript; charset=utf-8',
    file: webFile('built/form.js'),
  }),

  filePage({
    id: 'forms.embed',
    path: '/forms/embed.js',
    summary: 'The script that embeds a form in any website',
    type: 'text/javascript; charset=utf-8',
    file: webFile('built/form-embed.js'),
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
  }),
];
