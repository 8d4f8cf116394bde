import type { Document } from '#core/endpoint/reply.ts';
import { card, CARD_STYLE, htmlPage, pageHeaders, html, type Html } from '#lib/html.ts';
import type { Fault } from '#core/fault.ts';
import { errorText, languagesOf, type Language } from '#lib/page-parts.ts';
import { german } from './messages.de.ts';
import { english, type Messages } from './messages.en.ts';

/** Returns the form pages' language for a sub-account's or a browser's locale. */
export const languageOf = languagesOf<Messages>({ en: english, de: german });

/** Returns the headers of a form page. Any site may frame a form. */
export const headersOf = (redirectUrl: string | null) =>
  pageHeaders({
    isScripted: true,
    formsTo: redirectUrl === null ? [] : [new URL(redirectUrl).origin],
  });

interface Page {
  readonly language: Language<Messages>;
  readonly title: string;
  readonly brand?: string;
  readonly main: Html;
  /** Where a submission may redirect to. */
  readonly redirectUrl?: string | null;
  /** Whether the page loads the captcha script. */
  readonly isScripted?: boolean;
  /** Number of path segments below `/`, for relative links. */
  readonly depth?: number;
}

/** Returns a whole form page. */
export function pageOf(page: Page): Document {
  const { language, title, brand, main, redirectUrl = null, isScripted = false, depth = 1 } = page;
  const root = '../'.repeat(depth);
  return htmlPage({
    lang: language.locale.slice(0, 2).toLowerCase(),
    title,
    brand,
    head: html`<link rel="stylesheet" href="${root}${CARD_STYLE}" />
      <link rel="stylesheet" href="${root}forms/form.css" />
      ${isScripted && html`<script src="${root}forms/form.js" defer></script>`}`,
    body: card({ title, brand, main }),
    headers: headersOf(redirectUrl),
  });
}

/** Returns the page of a refusal, in the browser's language: the sub-account is not known. */
export function errorPage({ status }: Fault, locale: string): Document {
  const language = languageOf(locale);
  const { title, lead } = errorText(status, language.messages);
  return pageOf({ language, title, main: html`<p class="lead">${lead}</p>` });
}
