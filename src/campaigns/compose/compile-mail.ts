import { randomBytes } from 'node:crypto';
import { convert } from 'html-to-text';
import { markupOf } from '#lib/html.ts';
import { hasManyOpenTags, withoutTags } from '#lib/open-tags.ts';
import { mapFields, mergedSubject, splitFields, type MergeValues } from '#lib/merge-fields.ts';
import { inOneLine, senderOf } from '#platform/mail/mailer.ts';
import { replyAddress } from '../../conversations/mailbox/mail-thread.ts';
import {
  FINAL_DOT,
  withEscapedDots,
  type WireText,
} from '../../conversations/providers/smtp/wire-text.ts';
import type { ChannelSetup } from '../../conversations/channels/channel.store.ts';
import { compileTemplate } from './compile-template.ts';
import { fillIn } from './resolve-layout.ts';
import { domainToASCII } from 'node:url';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { encode as encodeQuoted, wrap } from 'nodemailer/lib/qp';

/** The texts of a campaign, with merge fields. */
export interface Wording {
  readonly subject: string;
  readonly preheader: string | null;
  readonly contentHtml: string;
  readonly layoutHtml: string;
}

/** The texts with the id of their campaign. */
export interface CampaignWording extends Wording {
  readonly id: string;
}

/** The recipient of one mail. */
export interface Addressee {
  /** The recipient's id, which is also in the mail's Message-ID. */
  readonly id: string;
  readonly email: string;
  readonly values: MergeValues;
  readonly unsubscribeUrl: string;
}

export interface Sender {
  /** An address, with or without a name. */
  readonly from: string;
  readonly replyTo: string | undefined;
  readonly date: Date;
}

export function senderOfChannel({ settings }: Pick<ChannelSetup, 'settings'>, date: Date): Sender {
  const replyTo = settings['replyTo'];
  return {
    from: String(settings['from']),
    replyTo: typeof replyTo === 'string' ? replyTo : undefined,
    date,
  };
}

/**
 * Returns the SMTP envelope. With a `replyTo`, bounces go to an address that names the mail (VERP),
 * since some bounces do not say which mail they are about.
 */
export function envelopeOf({ from, replyTo }: Sender, id: string, email: string) {
  const returnPath =
    replyTo === undefined ? senderOf(from).address : replyAddress(senderOf(replyTo).address, id);
  return { from: wireAddress(returnPath), to: wireAddress(email) };
}

/** The value of `List-Unsubscribe-Post` (RFC 8058). */
export const ONE_CLICK = 'List-Unsubscribe=One-Click';

/** The merge field of the link in `List-Unsubscribe`. */
export const UNSUBSCRIBE_FIELD = 'unsubscribe_link';

/** Its value in previews, which have no recipient to unsubscribe. */
export const UNSUBSCRIBE_EXAMPLE = 'https://example.com/unsubscribe';

/**
 * Encodes the mail of a campaign once, and returns a function that merges it for a recipient into the
 * text to send. Composing each mail with nodemailer's MailComposer takes fifty times as long (bench
 * scenario `campaign`).
 */
export function compileMail(
  wording: Wording,
  { from, replyTo, date }: Sender,
): (to: Addressee) => WireText {
  const sender = senderOf(from);
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  const boundary = `=_${randomBytes(16).toString('hex')}`;
  const html = compileTemplate(htmlOf(wording), {
    text: wirePiece,
    value: (value) => wirePiece(markupOf(value)),
  });
  const text = compileTemplate(textOf(wording), { text: wirePiece, value: wirePiece });
  const sharedHeaders = [
    `From: ${mailboxText(sender)}`,
    ...(replyTo === undefined ? [] : [`Reply-To: ${mailboxText(senderOf(replyTo))}`]),
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    'Precedence: bulk',
    `List-Unsubscribe-Post: ${ONE_CLICK}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
  ].join('\r\n');
  const opening = (kind: string): string =>
    `\r\n\r\n--${boundary}\r\nContent-Type: text/${kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
  const parts = {
    text: opening('plain'),
    html: opening('html'),
    end: `\r\n\r\n--${boundary}--\r\n${FINAL_DOT}`,
  };
  return ({ id, email, values: given, unsubscribeUrl }) => {
    const values = { ...given, [UNSUBSCRIBE_FIELD]: unsubscribeUrl };
    const ownHeaders = [
      `To: ${wireAddress(email)}`,
      `Subject: ${headerText(mergedSubject(wording.subject, values))}`,
      `Message-ID: <${id}@${domain}>`,
      `List-Unsubscribe: <${unsubscribeUrl}>`,
    ].join('\r\n');
    const mail = `${sharedHeaders}\r\n${ownHeaders}\r\n${parts.text}${text(values)}${parts.html}${html(values)}${parts.end}`;
    return { bytes: Buffer.from(mail) };
  };
}

/** Returns the layout with the content. The preheader, which inboxes show beside the subject, is first. */
export function htmlOf({ layoutHtml, contentHtml, preheader }: Wording): string {
  const filled = fillIn(layoutHtml, contentHtml);
  if (!preheader) {
    return filled;
  }
  const hidden = `<div style="display:none;max-height:0;overflow:hidden">${escapedAround(preheader)}</div>`;
  const at = startOfBody(filled);
  return filled.slice(0, at) + hidden + filled.slice(at);
}

/** Looks for the end of the first tag only: a search for each of 100,000 would take minutes. */
function startOfBody(html: string): number {
  const tag = html.search(/<body\b/i);
  return tag === -1 ? 0 : html.indexOf('>', tag) + 1;
}

/** Escapes a text for HTML, except its merge fields, which are escaped when they are merged. */
function escapedAround(text: string): string {
  const sources: string[] = [];
  mapFields(text, (_, source) => {
    sources.push(source);
    return '';
  });
  return splitFields(text)
    .texts.map((part, at) => markupOf(part) + (sources[at] ?? ''))
    .join('');
}

/** Returns the same as plain text. Merge fields stay merge fields. */
export function textOf({ layoutHtml, contentHtml }: Wording): string {
  const sources: string[] = [];
  // A fallback is text, even if it looks like markup: the conversion sees numbers in place of fields.
  const numbered = mapFields(fillIn(layoutHtml, contentHtml), (_, source) => {
    sources.push(source);
    return `{{${sources.length - 1}}}`;
  });
  return mapFields(toText(numbered), ({ name }, source) => sources[Number(name)] ?? source);
}

function toText(html: string): string {
  if (html.split('<').length > TAGS_MAX || hasManyOpenTags(html)) {
    return withoutTags(html.slice(0, TEXT_SOURCE_MAX));
  }
  const plain = { options: { uppercase: false } };
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: TEXT_SOURCE_MAX },
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...plain })),
      { selector: 'table', format: 'block' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      { selector: 'img', format: 'skip' },
    ],
  });
}

const TEXT_SOURCE_MAX = 2_000_000;
/** Converting a tag takes up to 10 µs, in which nothing else runs. A newsletter has some thousand tags. */
const TAGS_MAX = 10_000;

/** The longest encoded word (RFC 2047). */
const WORD_MAX = 75;

/** Below the limit of 998 characters per line, header name included (RFC 5322, 2.1.1). */
const LINE_MAX = 900;

/** Returns a header's text: short ASCII unchanged, other text as encoded words. */
export function headerText(text: string): string {
  const line = inOneLine(text);
  const isPlain = /^[\x20-\x7e]*$/.test(line) && !line.includes('=?');
  return isPlain && line.length <= LINE_MAX
    ? line
    : encodeWord(line, 'B', WORD_MAX).replaceAll('?= =?', '?=\r\n =?');
}

/** Returns a mailbox such as `"Harbour, Dental" <hello@harbour.example>`. */
export function mailboxText({
  name,
  address,
}: {
  readonly name: string;
  readonly address: string;
}): string {
  const shown = inOneLine(name);
  if (shown === '') {
    return wireAddress(address);
  }
  const isPlain = /^[\x20-\x7e]*$/.test(shown);
  const phrase = isPlain ? `"${shown.replaceAll(/["\\]/g, '\\$&')}"` : headerText(shown);
  return `${phrase} <${wireAddress(address)}>`;
}

/** Returns an address with its domain in ASCII, as mail servers require. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return address.slice(0, at + 1) + (domainToASCII(domain) || domain);
}

/** One character below the limit of quoted-printable, so that a soft break fits behind every line. */
const QUOTED_LINE_MAX = 75;
const SOFT_BREAK = '=\r\n';

/**
 * Returns text in quoted-printable (RFC 2045, 6.7). Separately encoded pieces can be concatenated: a
 * piece ends with a soft break, which decoding removes.
 */
export function quotedPiece(text: string): string {
  const quoted = wrap(encodeQuoted(text.replaceAll(/\r\n?|\n/g, '\r\n')), QUOTED_LINE_MAX);
  return quoted === '' || quoted.endsWith('\r\n') ? quoted : quoted + SOFT_BREAK;
}

/** Returns a piece as it is sent: each begins on a line of its own. */
const wirePiece = (text: string): string => withEscapedDots(quotedPiece(text));
