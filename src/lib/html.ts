import { escapedHtml } from './merge-fields.ts';
import type { Document } from '#core/endpoint/reply.ts';

const MARKUP = Symbol('html');

/** Markup that is not escaped again. */
export interface Html {
  readonly [MARKUP]: string;
}

export type Part = Html | string | number | false | null | undefined | readonly Part[];

/** A template that escapes its values; lists are joined, and undefined is empty. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { [MARKUP]: strings.map((text, at) => text + markupOf(parts[at])).join('') };
}

export const markupOf = (part: Part): string => {
  if (Array.isArray(part)) {
    return part.map(markupOf).join('');
  }
  if (part === false || part === null || part === undefined) {
    return '';
  }
  return typeof part === 'object' ? (part as Html)[MARKUP] : escapedHtml(String(part));
};

/** The parts of a page's Content-Security-Policy that differ between pages. */
interface Policy {
  /** Our scripts may run and call our server. */
  readonly isScripted?: boolean;
  /** Further origins that its forms may lead to, including redirects. */
  readonly formsTo?: readonly string[];
  /** Sites that may frame it; by default all. */
  readonly framedBy?: 'none' | 'self';
}

/**
 * No inline code and no foreign sources. The address of a page may be a secret link, so it is neither
 * sent as a referrer nor cached.
 */
export const pageHeaders = ({ isScripted = false, formsTo = [], framedBy }: Policy) => ({
  'content-security-policy': [
    "default-src 'none'",
    ...(isScripted ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    ["form-action 'self'", ...formsTo].join(' '),
    ...(framedBy ? [`frame-ancestors '${framedBy}'`] : []),
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

interface Page {
  readonly lang: string;
  readonly title: string;
  /** The title suffix: the name of the business. */
  readonly brand?: string | undefined;
  /** Attributes of the html element. */
  readonly attributes?: Part;
  /** Further content of the head, such as style sheets and scripts. */
  readonly head: Html;
  readonly body: Html;
  readonly headers: ReturnType<typeof pageHeaders>;
}

export function htmlPage(page: Page): Document {
  const { lang, title, brand, attributes, head, body, headers } = page;
  const language = html`lang="${lang}"`;
  const root = attributes ? html`${language} ${attributes}` : language;
  const markup = html`<!doctype html>
    <html ${root}>
      <head>
        <meta charset="utf-8" />
        <title>${brand && !title.includes(brand) ? `${title} · ${brand}` : title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
  return { type: 'text/html; charset=utf-8', body: markupOf(markup), headers };
}

interface Card {
  readonly title: string;
  readonly brand?: string | undefined;
  readonly main: Html;
}

/** The path of the style sheet of card pages. */
export const CARD_STYLE = 'pages/card.css';

/** Returns the body of a page with one message or form. */
export const card = ({ title, brand, main }: Card): Html =>
  html`<main class="card">
    ${brand && html`<p class="brand">${brand}</p>`}
    <h1>${title}</h1>
    ${main}
  </main>`;
