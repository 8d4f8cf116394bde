import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { card, CARD_STYLE, htmlPage, pageHeaders, html, type Html } from '#lib/html.ts';
import type { Preference, Preferences } from './preferences.ts';
import { messagesFor, type Messages } from './messages.ts';

const NOT_FOUND = 404;

/** Returns the page of a recipient's preferences; `isSaved` after a change. */
export function preferencesPage(preferences: Preferences, isSaved = false): Document {
  const { brand, locale, channels } = preferences;
  const messages = messagesFor(locale);
  const email = channels.find(({ channel }) => channel === 'email');
  const main = html`<p class="lead" ${isSaved && html`role="status"`}>
      ${isSaved ? (email?.isOpen ? messages.saved : messages.none) : messages.lead}
    </p>
    ${
      email?.isOpen &&
      html`<form method="post">
        <input type="hidden" name="unsubscribe" value="1" />
        <button>${messages.unsubscribe}</button>
      </form>`
    }
    <form method="post">
      <input type="hidden" name="save" value="1" />
      ${channels.map((one) => choice(one, messages))}
      <button>${messages.save}</button>
    </form>`;
  return pageOf({ messages, title: messages.title, brand, main });
}

/** Addresses are masked: anyone with a forwarded mail can open the page. */
const MASKED: Readonly<Record<Preference['channel'], (address: string) => string>> = {
  email: maskedEmail,
  sms: maskedPhone,
};

const choice = ({ channel, address, isOpen, isLocked }: Preference, messages: Messages): Html =>
  html`<div class="field checkbox">
    <input
      type="checkbox"
      id="${channel}"
      name="${channel}"
      value="on"
      ${isOpen && 'checked'}
      ${isLocked && 'disabled'}
    />
    <label for="${channel}">${messages[channel]} ${MASKED[channel](address)}</label>
    ${isLocked && html`<p class="hint">${messages.closed}</p>`}
  </div>`;

/** Returns an error page in the browser's language: the sub-account is unknown here. */
export function errorPage({ status }: Fault, locale: string): Document {
  const messages = messagesFor(locale);
  const isMissing = status === NOT_FOUND;
  const lead = isMissing ? messages.notFoundLead : messages.failedLead;
  const main = html`<p class="lead">${lead}</p>`;
  return pageOf({ messages, title: isMissing ? messages.notFound : messages.failed, main });
}

interface Page {
  readonly messages: Messages;
  readonly title: string;
  readonly brand?: string;
  readonly main: Html;
}

const pageOf = ({ messages, title, brand, main }: Page): Document =>
  htmlPage({
    lang: messages.lang,
    title,
    brand,
    head: html`<meta name="robots" content="noindex" />
      <link rel="stylesheet" href="../${CARD_STYLE}" />`,
    body: card({ title, brand, main }),
    headers: pageHeaders({ framedBy: 'none' }),
  });

const SHOWN_DIGITS = 2;
const HIDDEN = '••••';

/** Masks `+4930901820` as `+49 •••• 20`. */
function maskedPhone(phone: string): string {
  const code = parsePhoneNumberFromString(phone)?.countryCallingCode;
  const start = code === undefined ? '' : `+${code} `;
  return `${start}${HIDDEN} ${phone.slice(-SHOWN_DIGITS)}`;
}

/** Masks `ada@example.com` as `a••••@example.com`. */
function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}${HIDDEN}${email.slice(at)}`;
}
