import type { Reply, Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { brandLine, type Brand } from '#lib/brand.ts';
import { html, type Html, type Part } from '#lib/html.ts';
import { htmlPage, pageHeaders } from '#lib/page.ts';
import { languagesOf, type Language, errorText, seeOther } from '#lib/page-parts.ts';
import { brandedErrorPage } from '../../accounts/sub-accounts/brand.ts';
import { icon } from './icon.ts';
import { german } from './messages/de.ts';
import { english, values, type Messages } from './messages/en.ts';
import { spanish } from './messages/es.ts';
import { french } from './messages/fr.ts';

export type BookingLanguage = Language<Messages>;

/** Returns the booking pages' language for a sub-account's or a browser's locale. */
export const languageOf = languagesOf<Messages>(
  { en: english, de: german, es: spanish, fr: french },
  { kind: 'booking', values },
);

/** The texts of booking pages and their mails, for the manifest. */
export const bookingTexts = { english, values };

/** Returns the language with a clock of 12 or 24 hours; any other value changes nothing. */
export function withClock(language: BookingLanguage, clock: string | undefined): BookingLanguage {
  if (clock !== '12' && clock !== '24') {
    return language;
  }
  const hourCycle = clock === '12' ? 'h12' : 'h23';
  return { ...language, locale: new Intl.Locale(language.locale, { hourCycle }).toString() };
}

/** Returns which clock a locale has. */
export const clockOf = (locale: string): '12' | '24' =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 ? '12' : '24';

const POLICY = { isScripted: true, framedBy: 'self' } as const;
export const PAGE_HEADERS = pageHeaders(POLICY);

interface Page {
  readonly language: BookingLanguage;
  readonly title: string;
  /** The business, shown after the title. */
  readonly brand?: Brand | undefined;
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
    // Without the clock.
    lang: new Intl.Locale(language.locale).baseName,
    title,
    brand,
    attributes: zone && html`data-zone="${zone}" data-clock="${clockOf(language.locale)}"`,
    head: html`${isPrivate && html`<meta name="robots" content="noindex" />`}
      ${alternate && html`<link rel="alternate" type="text/markdown" href="${alternate}" />`}
      <link rel="stylesheet" href="/book/page.css" />
      <script src="/book/page.js"></script>`,
    body: main,
    policy: POLICY,
  });
}

/** What a visitor needs to know of a type before booking. */
export interface TypeDetails {
  /** Price and place. */
  readonly facts: Part;
  readonly description: Part;
}

interface Summary {
  readonly language: BookingLanguage;
  readonly brand: Brand;
  readonly what: string;
  /** Minutes. */
  readonly duration: number;
  /** Undefined if the type was removed. */
  readonly details?: TypeDetails | undefined;
  /** The chosen time and the time zone. */
  readonly more?: Part;
}

/** Returns the part beside a picker or a form: the business, the appointment type and its duration. */
export const summary = ({
  language: { messages },
  brand,
  what,
  duration,
  details,
  more,
}: Summary) =>
  html`<header class="about">
    ${brandLine(brand)}
    <h1>${what}</h1>
    <div class="glance">
      <p class="fact">${icon('duration')} ${messages.minutes(duration)}</p>
      ${details?.facts}
    </div>
    ${details?.description} ${more}
  </header>`;

/** Returns a refusal as a page, in the browser's language. */
export const errorPage = brandedErrorPage(languageOf, ({ status, brand, language }) => {
  const { title, lead } = errorText(status, language.messages);
  const main = html`<main class="card narrow error" id="page">
    ${brand && brandLine(brand)}
    <h1>${title}</h1>
    <p class="lead">${lead}</p>
  </main>`;
  return pageOf({ language, title, brand, main, isPrivate: true });
});

/** Returns whether a booking was refused because the customer has an appointment at that time. */
export const isAlreadyBooked = ({ details }: Fault): boolean =>
  details !== undefined && 'alreadyBooked' in details;

/** Returns the reason of a refused booking in the page's language, or undefined if the fault has none. */
export function reasonText(fault: Fault, { reasons }: Messages): string | undefined {
  const { reason }: { reason?: string } = fault.details ?? {};
  if (isAlreadyBooked(fault)) {
    return reasons.already_booked;
  }
  if (reason === undefined) {
    return undefined;
  }
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reasons.closed;
}

/** Returns the redirect from a submitted form to the page with its result. */
export const redirectTo = (location: string): Reply => seeOther(location, PAGE_HEADERS);
