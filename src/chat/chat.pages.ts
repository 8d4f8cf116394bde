import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { filePage, webFile } from '#platform/http/static.ts';
import { chatOf } from './chat-settings.ts';
import { configQuery } from './chat.schema.ts';
import { namedSubAccount } from '../accounts/sub-accounts/sub-account.store.ts';

/** Inline code and other origins are blocked. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const demo = webFile('chat/demo.html');

/** The widget, and a demo page with it. */
export const chatPages = [
  filePage({
    id: 'chat.widget',
    path: '/chat/widget.js',
    summary: 'The script of the chat widget, for any website',
    type: 'text/javascript; charset=utf-8',
    file: webFile('built/chat-widget.js'),
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
  }),

  definePageEndpoint({
    id: 'chat.demo',
    method: 'GET',
    path: '/chat/demo',
    summary: 'Demo page of the chat widget',
    limit: 'availability',
    query: configQuery,
    owner: async ({ query }) => namedSubAccount(query.subAccountId),
    async read({ view }) {
      await chatOf(view);
      const { bytes } = await demo();
      // An id needs no escaping.
      const body = bytes.toString().replaceAll('{{subAccountId}}', view.subAccountId);
      const headers = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' };
      return { data: null, document: { type: 'text/html; charset=utf-8', body, headers } };
    },
  }),

  filePage({
    id: 'chat.demo-style',
    path: '/chat/demo.css',
    summary: 'Style sheet of the demo page',
    type: 'text/css; charset=utf-8',
    file: webFile('chat/demo.css'),
  }),
];
