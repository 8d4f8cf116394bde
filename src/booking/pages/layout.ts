import type { Reply, Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { htmlPage, pageHeaders, html, type Html, type Part } from '#lib/html.ts';
import { languagesOf, type Language, errorText, seeOther } from '#lib/page-parts.ts';
import { german } from './messages/de.ts';
import { english, type Messages } from './messages/en.ts';
import { spanish } from './messages/es.ts';
import { french } from './messages/fr.ts';

export type BookingLanguage = Language<Messages>;

/** Returns the booking pages' language for a sub-account's or a browser's locale. */
export const languageOf = languagesOf<Messages>({
  en: english,
  de: german,
  es: spanish,
  fr: french,
});

export const PAGE_HEADERS = pageHeaders({ isScripted: true, framedBy: 'self' });

interface Page {
  readonly language: BookingLanguage;
  readonly title: string;
  /** The business, shown after the title. */
  readonly brand?: string;
  readonly main: Html;
  /** The address of the same page as Markdown, for programs. */
  readonly alternate?: string;
  /** The zone of its times, if the script may replace it with the visitor's own. */
  readonly zone?: string | undefined;
  /** Keeps the page out of search engines. */
  readonly isPrivate?: boolean;
}

/** Returns a whole booking page. */
export function pageOf(page: Page): Document {
  const { language, title, brand, main, alternate, zone, isPrivate } = page;
  return htmlPage({
    lang: language.locale,
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

interface Summary {
  readonly language: BookingLanguage;
  readonly brand: string;
  readonly what: string;
  /** Minutes. */
  readonly duration: number;
  /** The chosen time and the time zone. */
  readonly more?: Part;
}

/** Returns the part beside a picker or a form: the business, the appointment type and its duration. */
export const summary = ({ language: { messages }, brand, what, duration, more }: Summary): Html =>
  html`<header class="about">
    <p class="brand"><span class="initial" aria-hidden="true">${initialOf(brand)}</span>${brand}</p>
    <h1>${what}</h1>
    <p class="fact duration">${messages.minutes(duration)}</p>
    ${more}
  </header>`;

const initialOf = (brand: string): string =>
  String.fromCodePoint(brand.trim().codePointAt(0) ?? 0x20).toUpperCase();

/** Returns a refusal as a page. Its sub-account is not known here, so `locale` is the browser's. */
export function errorPage({ status }: Fault, locale: string): Document {
  const language = languageOf(locale);
  const { title, lead } = errorText(status, language.messages);
  const main = html`<main class="card narrow error" id="page">
    <h1>${title}</h1>
    <p class="lead">${lead}</p>
  </main>`;
  return pageOf({ language, title, main, isPrivate: true });
}

/** Returns the reason of a refused booking in the page's language, or undefined if the fault has none. */
export function reasonText({ details }: Fault, { reasons }: Messages): string | undefined {
  const { reason }: { reason?: string } = details ?? {};
  if (reason === undefined) {
    return undefined;
  }
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reasons.closed;
}

/** Returns the redirect from a submitted form to the page with its result. */
export const redirectTo = (location: string): Reply => seeOther(location, PAGE_HEADERS);
