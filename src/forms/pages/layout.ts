import type { Document } from '#core/endpoint/reply.ts';
import { html, type Html } from '#lib/html.ts';
import { card, CARD_STYLE, htmlPage, pageHeaders } from '#lib/page.ts';
import type { Brand } from '#lib/brand.ts';
import { errorText, languagesOf, type Language } from '#lib/page-parts.ts';
import { brandedErrorPage } from '../../accounts/sub-accounts/brand.ts';
import { german } from './messages/de.ts';
import { spanish } from './messages/es.ts';
import { french } from './messages/fr.ts';
import { english, type Messages } from './messages/en.ts';

/** Returns the form pages' language for a sub-account's or a browser's locale. */
export const languageOf = languagesOf<Messages>(
  { en: english, de: german, fr: french, es: spanish },
  { kind: 'forms', values: {} },
);

/** The texts of form pages, for the manifest. */
export const formTexts = { english, values: {} };

/** Returns the headers of a form page. Any site may frame a form. */
export const headersOf = (redirectUrl: string | null) => pageHeaders(policyOf(redirectUrl));

const policyOf = (redirectUrl: string | null) => ({
  isScripted: true,
  formsTo: redirectUrl === null ? [] : [new URL(redirectUrl).origin],
});

interface Page {
  readonly language: Language<Messages>;
  readonly title: string;
  readonly brand?: Brand | undefined;
  readonly main: Html;
  /** Where a submission may redirect to. */
  readonly redirectUrl?: string | null;
  /** Whether it loads the script of form pages. */
  readonly isScripted?: boolean;
  /** Whether it says that something is done. */
  readonly isDone?: boolean;
  /** Number of path segments below `/`, for relative links. */
  readonly depth?: number;
}

/** Returns a whole form page. */
export function pageOf(page: Page): Document {
  const { language, title, brand, main, redirectUrl = null, isDone = false, depth = 1 } = page;
  const { isScripted = true } = page;
  const root = '../'.repeat(depth);
  return htmlPage({
    lang: new Intl.Locale(language.locale).language,
    title,
    brand,
    head: html`<link rel="stylesheet" href="${root}${CARD_STYLE}" />
      ${isScripted && html`<script src="${root}forms/form.js" defer></script>`}`,
    body: card({ title, brand, main, isDone }),
    policy: policyOf(redirectUrl),
  });
}

/** Returns the page of a refusal, in the browser's language. */
export const errorPage = (depth = 1) =>
  brandedErrorPage(languageOf, ({ status, brand, language }) => {
    const { title, lead } = errorText(status, language.messages);
    const main = html`<p class="lead">${lead}</p>`;
    return pageOf({ language, title, brand, main, isScripted: false, depth });
  });
