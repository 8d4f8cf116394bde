import type { Document } from '#core/endpoint/reply.ts';
import { html, markupOf, type Html, type Part } from './html.ts';

/** What a page may do in a browser beyond showing itself. */
interface Policy {
  /** It runs scripts of ours, which ask us. */
  readonly isScripted?: boolean;
  /** Origins that its forms may lead to, besides ours: browsers hold their redirects to it too. */
  readonly formsTo?: readonly string[];
  /** Who may frame it; any site where nothing is said. */
  readonly framedBy?: 'none' | 'self';
}

/**
 * Nothing of a page stands in it or comes from elsewhere. Its address can be all that it takes to
 * change something: it goes nowhere, and is kept nowhere.
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
  /** Whose page it is, as browsers list it. */
  readonly brand?: string | undefined;
  /** Attributes of the whole page. */
  readonly attributes?: Part;
  /** Style sheets, scripts, and what else its head holds. */
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

/** Where the style of cards is, below the root of the site. */
export const CARD_STYLE = 'pages/card.css';

/** The body of a page that says or asks one thing. */
export const card = ({ title, brand, main }: Card): Html =>
  html`<main class="card">
    ${brand && html`<p class="brand">${brand}</p>`}
    <h1>${title}</h1>
    ${main}
  </main>`;
