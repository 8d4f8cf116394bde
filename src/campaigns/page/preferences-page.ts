import type { Document } from '#kit/endpoint.ts';
import type { Fault } from '#kit/fault.ts';
import { html, markupOf, type Html } from '#kit/html.ts';
import type { Preference, Preferences } from '../preferences.ts';
import { wordsOf, type Words } from './words.ts';

const NOT_FOUND = 404;

/** Nothing of the page stands in it or comes from elsewhere, and nobody frames it. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What may be sent to whoever got the mail; `isSaved` says that it was just changed. */
export function preferencesPage(preferences: Preferences, isSaved = false): Document {
  const { brand, locale, channels } = preferences;
  const words = wordsOf(locale);
  const email = channels.find(({ channel }) => channel === 'email');
  const main = html`<p class="lead" ${isSaved && html`role="status"`}>
      ${isSaved ? (email?.isOpen ? words.saved : words.none) : words.lead}
    </p>
    ${
      email?.isOpen &&
      html`<form method="post">
        <input type="hidden" name="unsubscribe" value="1" />
        <button>${words.unsubscribe}</button>
      </form>`
    }
    <form method="post">
      <input type="hidden" name="save" value="1" />
      ${channels.map((one) => choice(one, words))}
      <button>${words.save}</button>
    </form>`;
  return pageOf({ words, title: words.title, brand, main });
}

const choice = ({ channel, address, isOpen, isOurs }: Preference, words: Words): Html =>
  html`<div class="field checkbox">
    <input
      type="checkbox"
      id="${channel}"
      name="${channel}"
      value="on"
      ${isOpen && 'checked'}
      ${isOurs && 'disabled'}
    />
    <label for="${channel}">${words[channel]} ${address}</label>
    ${isOurs && html`<p class="hint">${words.closed}</p>`}
  </div>`;

/** A refusal for people. Whose page it would be is not known here, so it speaks English. */
export function errorPage({ status }: Fault): Document {
  const words = wordsOf('en');
  const isMissing = status === NOT_FOUND;
  const lead = isMissing ? words.notFoundLead : words.failedLead;
  const main = html`<p class="lead">${lead}</p>`;
  return pageOf({ words, title: isMissing ? words.notFound : words.failed, main });
}

interface Page {
  readonly words: Words;
  readonly title: string;
  readonly brand?: string;
  readonly main: Html;
}

function pageOf({ words, title, brand, main }: Page): Document {
  const markup = html`<!doctype html>
    <html lang="${words.lang}">
      <head>
        <meta charset="utf-8" />
        <title>${brand ? `${title} · ${brand}` : title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="../forms/form.css" />
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
    headers: {
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  };
}
