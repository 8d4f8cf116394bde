import { anybody, defineEndpoint } from '#kit/endpoint.ts';
import { Type } from '#kit/type.ts';
import { webFile } from '#platform/http/web-file.ts';
import { chatOf } from './chat-settings.ts';
import { configQuery } from './chat.shape.ts';
import { namedSubAccount } from '../accounts/named-sub-account.ts';

/** A new release of the widget reaches every site within so long. */
const SHORTLY = 'public, max-age=300';

/** Nothing of this page stands in it or comes from elsewhere. */
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

const widget = webFile('built/chat-widget.js');
const demo = webFile('chat/demo.html');
const demoStyle = webFile('chat/demo.css');

const data = Type.Null();

/** What browsers load: the widget, and a page that carries it. */
export const chatPages = [
  defineEndpoint({
    id: 'chat.widget',
    method: 'GET',
    path: '/chat/widget.js',
    summary: 'The chat widget, for any web site',
    access: anybody(),
    data,
    async read() {
      const { bytes, etag } = await widget();
      const headers = {
        etag,
        'cache-control': SHORTLY,
        'cross-origin-resource-policy': 'cross-origin',
      };
      return {
        data: null,
        document: { type: 'text/javascript; charset=utf-8', body: bytes, headers },
      };
    },
  }),

  defineEndpoint({
    id: 'chat.demo',
    method: 'GET',
    path: '/chat/demo',
    summary: 'A page that carries the widget',
    access: anybody(),
    query: configQuery,
    data,
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

  defineEndpoint({
    id: 'chat.demo-style',
    method: 'GET',
    path: '/chat/demo.css',
    summary: 'How that page looks',
    access: anybody(),
    data,
    async read() {
      const { bytes, etag } = await demoStyle();
      const headers = { etag, 'cache-control': SHORTLY };
      return { data: null, document: { type: 'text/css; charset=utf-8', body: bytes, headers } };
    },
  }),
];
