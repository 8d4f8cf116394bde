import { html } from '#lib/html.ts';
import { htmlPage, card, CARD_STYLE, pageHeaders } from '#lib/page.ts';
import * as s from '#core/schema/schema.ts';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import type { Document } from '#core/endpoint/reply.ts';
import { notFound } from '#core/fault.ts';
import { SHORTLY } from '#platform/http/static.ts';
import { siteFile } from './site-files.ts';
import { extname } from 'node:path';
import { Type } from 'typebox';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The documentation: pages, the same pages as Markdown, and what they load; all from disk. */
export const docsPages = [
  definePageEndpoint({
    id: 'docs.root',
    method: 'GET',
    path: '/',
    summary: 'Redirects to the documentation',
    limit: 'public_read',
    read: () => Promise.resolve({ status: 302, data: null, document: TO_DOCS }),
  }),

  definePageEndpoint({
    id: 'docs.page',
    method: 'GET',
    path: '/docs',
    summary: 'The documentation: guides and API reference',
    limit: 'public_read',
    read: () => reply('index.html'),
  }),

  definePageEndpoint({
    id: 'docs.file',
    method: 'GET',
    path: '/docs/:file',
    summary:
      'A page of the documentation, the page as Markdown behind `.md`, or a file of its looks',
    limit: 'public_read',
    params: s.request({ file: Type.String({ minLength: 1, maxLength: 100 }) }),
    error: notFoundPage,
    // A page has no extension.
    read: ({ params: { file } }) => reply(file.includes('.') ? own(file) : `${file}.html`),
  }),

  ...['llms.txt', 'llms-full.txt'].map((name) =>
    definePageEndpoint({
      id: `docs.${name.replace('.txt', '')}`,
      method: 'GET',
      path: `/${name}`,
      summary: 'The documentation for language models (llmstxt.org)',
      limit: 'public_read',
      read: () => reply(name),
    }),
  ),
];

/** Relative, so that it also works behind a path prefix of a proxy. */
const TO_DOCS = {
  type: 'text/html; charset=utf-8',
  body: '',
  headers: { ...pageHeaders({ framedBy: 'none' }), location: 'docs' },
};

/** Every file has one address: pages have no `.html`, and `llms.txt` lies at the root. */
const own = (file: string): string => (/\.(?:html|txt)$/.test(file) ? '' : file);

async function reply(name: string) {
  const file = await siteFile(name);
  const type = TYPES[extname(name)];
  if (!file || !type) {
    throw notFound('page');
  }
  const headers = {
    ...(extname(name) === '.html' && POLICY),
    etag: file.etag,
    'cache-control': SHORTLY,
  };
  return { data: null, document: { type, body: file.bytes, headers } };
}

const POLICY = pageHeaders({ isScripted: true, framedBy: 'none' });

const FRONTDESK = { name: 'Frontdesk', color: null, logoUrl: null };

/** Links are relative, so that they also work below a path of a proxy. */
function notFoundPage(): Document {
  return htmlPage({
    lang: 'en',
    title: 'Page not found',
    brand: FRONTDESK,
    head: html`<link rel="stylesheet" href="../${CARD_STYLE}" />`,
    body: card({
      title: 'Page not found',
      brand: FRONTDESK,
      main: html`<p>
        The documentation has no page at this address.
        <a href="../docs">Open the documentation</a>
      </p>`,
    }),
    policy: { framedBy: 'none' },
  });
}
