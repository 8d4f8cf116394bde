import type { Document } from '#kit/endpoint.ts';
import { html, markupOf, type Html } from '#kit/html.ts';
import type { Tongue } from './tongue.ts';

/** Nothing of a page stands in it or comes from elsewhere, and nobody else frames it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

/** The address of a page can be all that it takes to cancel: it goes nowhere, and stays nowhere. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

interface Page {
  readonly tongue: Tongue;
  readonly title: string;
  /** Shown below, as whose page it is. */
  readonly brand?: string;
  readonly main: Html;
  /** The same for programs that read for somebody. */
  readonly alternate?: string;
  /** The zone of its times, where the visitor's own may take its place. */
  readonly zone?: string | undefined;
  /** Only for whoever has the link. */
  readonly isPrivate?: boolean;
}

export function pageOf({ tongue, title, brand, main, alternate, zone, isPrivate }: Page): Document {
  const page = html`<!doctype html>
    <html lang="${tongue.locale}" ${zone && html`data-zone="${zone}"`}>
      <head>
        <meta charset="utf-8" />
        <title>${brand && !title.includes(brand) ? `${title} · ${brand}` : title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${isPrivate && html`<meta name="robots" content="noindex" />`}
        ${alternate && html`<link rel="alternate" type="text/markdown" href="${alternate}" />`}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/book/page.css" />
        <script src="/book/page.js"></script>
      </head>
      <body>
        ${main}
      </body>
    </html>`;
  return { type: 'text/html; charset=utf-8', body: markupOf(page), headers: PAGE_HEADERS };
}
