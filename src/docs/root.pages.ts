import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { pageHeaders } from '#lib/html-page.ts';

/** Whoever opens the bare address in a browser wants to know what answers there. */
export const rootPages = [
  definePageEndpoint({
    id: 'docs.root',
    method: 'GET',
    path: '/',
    summary: 'Leads to the API, to read and to try',
    read: () => Promise.resolve({ status: 302, data: null, document: TO_DOCS }),
  }),
];

/** Relative, so that it holds behind a path of a proxy, too. */
const TO_DOCS = {
  type: 'text/html; charset=utf-8',
  body: '',
  headers: { ...pageHeaders({ framedBy: 'none' }), location: 'docs' },
};
