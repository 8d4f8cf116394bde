import type { Document } from '#core/endpoint/reply.ts';
import { card, CARD_STYLE, htmlPage, pageHeaders } from '#lib/html-page.ts';
import { html, type Html } from '#lib/html.ts';
import { type Locale, localeOf } from './locale.ts';
import type { Fault } from '#core/fault.ts';
import type { Messages } from './messages.en.ts';

/** Any site may frame a form. */
export const headersOf = (redirectUrl: string | null) =>
  pageHeaders({
    isScripted: true,
    formsTo: redirectUrl === null ? [] : [new URL(redirectUrl).origin],
  });

interface Page {
  readonly pageLocale: Locale;
  readonly title: string;
  readonly brand?: string;
  readonly main: Html;
  /** Where its form may lead. */
  readonly redirectUrl?: string | null;
  /** It has a form that needs the script. */
  readonly isScripted?: boolean;
  /** How deep it stands below `/f/`, for what it loads. */
  readonly depth?: number;
}

export function pageOf(page: Page): Document {
  const {
    pageLocale,
    title,
    brand,
    main,
    redirectUrl = null,
    isScripted = false,
    depth = 1,
  } = page;
  const root = '../'.repeat(depth);
  return htmlPage({
    lang: pageLocale.lang,
    title,
    brand,
    head: html`<link rel="stylesheet" href="${root}${CARD_STYLE}" />
      <link rel="stylesheet" href="${root}forms/form.css" />
      ${isScripted && html`<script src="${root}forms/form.js" defer></script>`}`,
    body: card({ title, brand, main }),
    headers: headersOf(redirectUrl),
  });
}

const SAYS: Readonly<Record<number, keyof Messages>> = {
  404: 'notFound',
  415: 'noFiles',
  429: 'tooMany',
  500: 'unavailable',
  503: 'unavailable',
};

/** A refusal for people. Whose page it would be is not known here: it speaks as their browser does. */
export function errorPage({ status }: Fault, locale: string): Document {
  const pageLocale = localeOf(locale);
  const { words } = pageLocale;
  const name = SAYS[status] ?? 'badRequest';
  const lead = words[`${name}Lead` as keyof Messages] as string;
  const main = html`<p class="lead">${lead}</p>`;
  return pageOf({ pageLocale, title: words[name] as string, main });
}
