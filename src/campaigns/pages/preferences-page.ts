import type { Document } from '#core/endpoint/reply.ts';
import type { Brand } from '#lib/brand.ts';
import { brandedErrorPage } from '../../accounts/sub-accounts/brand.ts';
import { html, type Html } from '#lib/html.ts';
import { card, CARD_STYLE, htmlPage } from '#lib/page.ts';
import type { Language } from '#lib/page-parts.ts';
import type { Preference, Preferences } from './preferences.ts';
import { languageOf, type Messages } from './messages.ts';

const NOT_FOUND = 404;

/** Returns the page of a recipient, with one choice and one button; `isSaved` after a change. */
export function preferencesPage(preferences: Preferences, isSaved = false): Document {
  const { brand, locale, languages, isClosed, channels } = preferences;
  const language = languageOf(locale, languages);
  const states = new Map(channels.map((one) => [one.channel, one]));
  const email = states.get('email');
  const page = contentOf(language.messages, { email, sms: states.get('sms'), isClosed, isSaved });
  const status = isSaved && html`role="status"`;
  const lead = html`<p class="lead" ${status}>${page.lead}</p>`;
  return pageOf({ language, title: page.title, brand, main: html`${lead} ${page.form}` });
}

interface Content {
  readonly title: string;
  readonly lead: string;
  readonly form: Html;
}

interface ContentInput extends Pick<Preferences, 'isClosed'> {
  readonly email: Preference | undefined;
  readonly sms: Preference | undefined;
  readonly isSaved: boolean;
}

function contentOf(messages: Messages, { email, sms, isClosed, isSaved }: ContentInput): Content {
  const address = masked(email?.address ?? '');
  if (!email?.isOpen) {
    const lead = email?.isLocked ? messages.closed(address) : messages.done(address);
    const form = html`${sms?.isShown && sms.isOpen && html`<p class="hint">${messages.smsStays}</p>`}
    ${!email?.isLocked && !isClosed && subscribeForm(messages, sms)}`;
    return { title: messages.doneTitle, lead, form };
  }
  const [title, lead] =
    isSaved && !isClosed
      ? [messages.subscribedTitle, messages.subscribed(address)]
      : [messages.title, messages.lead(address)];
  return { title, lead, form: unsubscribeForm(messages, sms, isSaved) };
}

const unsubscribeForm = (messages: Messages, sms: Preference | undefined, isSaved: boolean): Html =>
  html`<form method="post">
    <input type="hidden" name="unsubscribe" value="1" />
    ${sms?.isShown && sms.isOpen && !sms.isLocked && checkbox('stopSms', messages.alsoSms)}
    <button class="${isSaved ? 'quiet' : 'primary'}">${messages.unsubscribe}</button>
  </form>`;

const subscribeForm = (messages: Messages, sms: Preference | undefined): Html =>
  html`<form method="post">
    <input type="hidden" name="save" value="1" />
    <input type="hidden" name="email" value="on" />
    ${sms?.isOpen && html`<input type="hidden" name="sms" value="on" />`}
    ${sms?.isShown && !sms.isOpen && !sms.isLocked && checkbox('sms', messages.smsAgain)}
    <button class="quiet">${messages.subscribe}</button>
  </form>`;

const checkbox = (name: string, label: string): Html =>
  html`<div class="field checkbox">
    <input type="checkbox" id="${name}" name="${name}" value="on" />
    <label for="${name}">${label}</label>
  </div>`;

/** Returns an error page in the browser's language. */
export const errorPage = (depth = 1) =>
  brandedErrorPage(languageOf, ({ status, brand, language }) => {
    const { messages } = language;
    const isMissing = status === NOT_FOUND;
    const title = isMissing ? messages.notFound : messages.failed;
    const lead = isMissing ? messages.notFoundLead : messages.failedLead;
    return pageOf({ language, title, brand, main: html`<p class="lead">${lead}</p>`, depth });
  });

interface Page {
  readonly language: Language<Messages>;
  readonly title: string;
  readonly brand?: Brand | undefined;
  readonly main: Html;
  /** Number of path segments below `/`, for relative links. */
  readonly depth?: number;
}

const pageOf = ({ language, title, brand, main, depth = 1 }: Page): Document =>
  htmlPage({
    lang: language.locale,
    title,
    brand,
    head: html`<meta name="robots" content="noindex" />
      <link rel="stylesheet" href="${'../'.repeat(depth)}${CARD_STYLE}" />`,
    body: card({ title, brand, main }),
    policy: { framedBy: 'none' },
  });

const HIDDEN = '••••';

/** Masks `ada@example.com` as `a••••@example.com`: anyone with a forwarded mail can open the page. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return `${first}${HIDDEN}${email.slice(at)}`;
}
