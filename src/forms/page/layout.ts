import type { Document } from '#kit/endpoint.ts';
import { html, markupOf, type Html } from '#kit/html.ts';
import type { Tongue } from './tongue.ts';

/**
 * Nothing of a page stands in it or comes from elsewhere. Any site may frame it; browsers hold the
 * answer to a form to `form-action` too, so that where it leads on is named there.
 */
const policyOf = (redirectUrl: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${redirectUrl === null ? '' : ` ${new URL(redirectUrl).origin}`}`,
  ].join('; ');

export const headersOf = (redirectUrl: string | null) => ({
  'content-security-policy': policyOf(redirectUrl),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

interface Page {
  readonly tongue: Tongue;
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
  const { tongue, title, brand, main, redirectUrl = null, isScripted = false, depth = 1 } = page;
  const assets = `${'../'.repeat(depth)}forms`;
  const markup = html`<!doctype html>
    <html lang="${tongue.lang}">
      <head>
        <meta charset="utf-8" />
        <title>${brand && !title.includes(brand) ? `${title} · ${brand}` : title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${assets}/form.css" />
        ${isScripted && html`<script src="${assets}/form.js" defer></script>`}
      </head>
      <body>
        <main class="card">
          ${brand && html`<p class="brand">${brand}</p>`}
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html>`;
  return {
    type: 'text/html; charset=utf-8',
    body: markupOf(markup),
    headers: headersOf(redirectUrl),
  };
}
