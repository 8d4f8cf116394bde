import type { Document } from '#core/endpoint/reply.ts';
import { htmlPage, pageHeaders } from '#lib/html-page.ts';
import { html, type Html } from '#lib/html.ts';
import type { Locale } from './messages/locale.ts';

export const PAGE_HEADERS = pageHeaders({ isScripted: true, framedBy: 'self' });

interface Page {
  readonly pageLocale: Locale;
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

export function pageOf(page: Page): Document {
  const { pageLocale, title, brand, main, alternate, zone, isPrivate } = page;
  return htmlPage({
    lang: pageLocale.locale,
    title,
    brand,
    attributes: zone && html`data-zone="${zone}"`,
    head: html`${isPrivate && html`<meta name="robots" content="noindex" />`}
      ${alternate && html`<link rel="alternate" type="text/markdown" href="${alternate}" />`}
      <link rel="stylesheet" href="/book/page.css" />
      <script src="/book/page.js"></script>`,
    body: main,
    headers: PAGE_HEADERS,
  });
}
