import type { Document } from '#core/endpoint/reply.ts';
import { brandIcon, brandLine, brandSources, brandStyle, type Brand } from './brand.ts';
import { html, languageAttributes, markupOf, raw, type Html, type Part } from './html.ts';

/** The parts of a page's Content-Security-Policy that differ between pages. */
interface Policy {
  /** Our scripts may run and call our server. */
  readonly isScripted?: boolean;
  /** Further origins that its forms may lead to, including redirects. */
  readonly formsTo?: readonly string[];
  /** Sites that may frame it; by default all. */
  readonly framedBy?: 'none' | 'self';
  /** Its color and logo are allowed. */
  readonly brand?: Brand | undefined;
}

/**
 * No inline code and no foreign sources. The address of a page may be a secret link, so it is neither
 * sent as a referrer nor cached.
 */
export const pageHeaders = ({ isScripted = false, formsTo = [], framedBy, brand }: Policy) => ({
  'content-security-policy': [
    "default-src 'none'",
    ...(isScripted ? ["script-src 'self'", "connect-src 'self'"] : []),
    ["style-src 'self'", ...(brand ? brandSources(brand).style : [])].join(' '),
    ["img-src 'self' data:", ...(brand ? brandSources(brand).image : [])].join(' '),
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
  /** The business: the title ends with its name, and the page has its colors. */
  readonly brand?: Brand | undefined;
  /** Attributes of the html element. */
  readonly attributes?: Part;
  /** Further content of the head, such as style sheets and scripts. */
  readonly head: Html;
  readonly body: Html;
  readonly policy: Omit<Policy, 'brand'>;
}

export function htmlPage(page: Page): Document {
  const { lang, title, brand, attributes, head, body, policy } = page;
  const style = brand ? brandStyle(brand) : '';
  const language = languageAttributes(lang);
  const root = attributes ? html`${language} ${attributes}` : language;
  const markup = html`<!doctype html>
    <html ${root}>
      <head>
        <meta charset="utf-8" />
        <title>${brand && !title.includes(brand.name) ? `${title} · ${brand.name}` : title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${brand ? brandIcon(brand) : '/favicon.ico'}" />
        ${head} ${style !== '' && raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
  return {
    type: 'text/html; charset=utf-8',
    body: markupOf(markup),
    headers: pageHeaders({ ...policy, brand }),
  };
}

interface Card {
  readonly title: string;
  readonly brand?: Brand | undefined;
  readonly main: Html;
  /** Whether a sign above the title says that something is done. */
  readonly isDone?: boolean;
}

/** The path of the style sheet of card pages. */
export const CARD_STYLE = 'pages/card.css';

/** Returns the body of a page with one message or form. */
export const card = ({ title, brand, main, isDone = false }: Card): Html =>
  html`<main class="card narrow">
    ${brand && brandLine(brand)}
    ${isDone ? html`<h1 class="sign yes">${title}</h1>` : html`<h1>${title}</h1>`} ${main}
  </main>`;

interface MessagePage {
  readonly lang: string;
  readonly title: string;
  readonly lead: string;
  readonly link?: { readonly href: string; readonly text: string };
}

/** Returns a page with one message of the server itself, without a brand. */
export const messagePage = ({ lang, title, lead, link }: MessagePage): Document =>
  htmlPage({
    lang,
    title,
    head: html`<meta name="robots" content="noindex" />
      <link rel="stylesheet" href="/${CARD_STYLE}" />`,
    body: card({
      title,
      main: html`<p class="lead">${lead}</p>
        ${link ? html`<p><a href="${link.href}">${link.text}</a></p>` : ''}`,
    }),
    policy: { framedBy: 'none' },
  });
