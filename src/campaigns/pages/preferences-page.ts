import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { card, CARD_STYLE, htmlPage, pageHeaders } from '#lib/html-page.ts';
import { html, type Html } from '#lib/html.ts';
import type { Preference, Preferences } from './preferences.ts';
import { wordsOf, type Messages } from './messages.ts';
import { createRequire } from 'node:module';

const NOT_FOUND = 404;

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

/** The page opens for every reader of a forwarded mail. */
const MASKED: Readonly<Record<Preference['channel'], (address: string) => string>> = {
  email: maskedEmail,
  sms: maskedPhone,
};

const choice = ({ channel, address, isOpen, isOurs }: Preference, words: Messages): Html =>
  html`<div class="field checkbox">
    <input
      type="checkbox"
      id="${channel}"
      name="${channel}"
      value="on"
      ${isOpen && 'checked'}
      ${isOurs && 'disabled'}
    />
    <label for="${channel}">${words[channel]} ${MASKED[channel](address)}</label>
    ${isOurs && html`<p class="hint">${words.closed}</p>`}
  </div>`;

/** A refusal for people. Whose page it would be is not known here: it speaks as their browser does. */
export function errorPage({ status }: Fault, locale: string): Document {
  const words = wordsOf(locale);
  const isMissing = status === NOT_FOUND;
  const lead = isMissing ? words.notFoundLead : words.failedLead;
  const main = html`<p class="lead">${lead}</p>`;
  return pageOf({ words, title: isMissing ? words.notFound : words.failed, main });
}

interface Page {
  readonly words: Messages;
  readonly title: string;
  readonly brand?: string;
  readonly main: Html;
}

const pageOf = ({ words, title, brand, main }: Page): Document =>
  htmlPage({
    lang: words.lang,
    title,
    brand,
    head: html`<meta name="robots" content="noindex" />
      <link rel="stylesheet" href="../${CARD_STYLE}" />`,
    body: card({ title, brand, main }),
    headers: pageHeaders({ framedBy: 'none' }),
  });

const require = createRequire(import.meta.url);
const SHOWN_DIGITS = 2;
const HIDDEN = '••••';

/** `+4930901820` as `+49 •••• 20`: its owner recognises it, a reader of a forwarded mail learns little. */
export function maskedPhone(phone: string): string {
  const { parsePhoneNumberFromString } =
    require('libphonenumber-js/max') as typeof import('libphonenumber-js/max');
  const code = parsePhoneNumberFromString(phone)?.countryCallingCode;
  const start = code === undefined ? '' : `+${code} `;
  return `${start}${HIDDEN} ${phone.slice(-SHOWN_DIGITS)}`;
}

/** `ada@example.com` as `a••••@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}${HIDDEN}${email.slice(at)}`;
}
