import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { messagePage } from '#lib/page.ts';
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
    error: async (fault) => demoError(fault),
    owner: async ({ query }) => namedSubAccount(query.subAccountId),
    async read({ view, baseUrl }) {
      await chatOf(view);
      const { bytes } = await demo();
      // An id and the address of this server need no escaping.
      const body = bytes
        .toString()
        .replaceAll('{{subAccountId}}', view.subAccountId)
        .replaceAll('{{server}}', baseUrl);
      const headers = { 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' };
      return { data: null, document: { type: 'text/html; charset=utf-8', body, headers } };
    },
  }),

  filePage({
    id: 'chat.demo-style',
    path: '/chat/demo.css',
    summary: 'Style sheet of the demo page',
    type: 'text/css; charset=utf-8',
    file: webFile('built/chat-demo.css'),
  }),
];

/** Returns a page that says how to open the demo: it is for the people who set up the chat. */
const demoError = ({ status, message }: Fault): Document =>
  messagePage({
    lang: 'en',
    ...(DEMO_ERRORS[status] ?? { title: 'Something went wrong', lead: message }),
  });

const DEMO_ERRORS: Readonly<Record<number, { readonly title: string; readonly lead: string }>> = {
  400: {
    title: 'Choose a sub-account',
    lead: 'Open /chat/demo?subAccountId=ID. The command frontdesk admin sub-account list shows the IDs.',
  },
  404: {
    title: 'This chat does not exist',
    lead: 'Check the ID in the address. If it is right, set chat.enabled: true in the manifest and apply it.',
  },
};
