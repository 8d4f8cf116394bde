import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { pageHeaders } from '#lib/html-page.ts';

/** Redirects a browser that opens the bare address. */
export const rootPages = [
  definePageEndpoint({
    id: 'docs.root',
    method: 'GET',
    path: '/',
    summary: 'Redirects to the API reference',
    read: () => Promise.resolve({ status: 302, data: null, document: TO_DOCS }),
  }),
];

/** Relative, so that it also works behind a path prefix of a proxy. */
const TO_DOCS = {
  type: 'text/html; charset=utf-8',
  body: '',
  headers: { ...pageHeaders({ framedBy: 'none' }), location: 'docs' },
};
