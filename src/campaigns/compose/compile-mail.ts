import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { markupOf } from '#lib/html.ts';
import { mergedSubject, type MergeValues } from '#lib/merge-fields.ts';
import { senderOf } from '#platform/mail/mailer.ts';
import { replyAddress } from '../../conversations/mailbox/reply-token.ts';
import type { ChannelSetup } from '../../conversations/channels/read-channel.ts';
import { fillIn } from './resolve-layout.ts';
import { headerText, mailboxText, wireAddress } from './header-text.ts';
import { compileTemplate } from './merge-template.ts';
import { quotedPiece } from './quoted-printable.ts';

/** What a campaign says. */
export interface Wording {
  readonly subject: string;
  readonly preheader: string | null;
  readonly contentHtml: string;
  readonly layoutHtml: string;
}

/** Whom one mail goes to. */
export interface Addressee {
  /** Of the line in the ledger: the mail's Message-ID. */
  readonly id: string;
  readonly email: string;
  readonly values: MergeValues;
  readonly unsubscribeUrl: string;
}

/** Who writes, and when. */
export interface Sender {
  /** An address, or a name with one. */
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
 * Where the mail goes, and where servers report what became of it: an address that names the mail
 * (VERP) where answers go to one that takes tags, since some reports do not say what they are about.
 */
export function envelopeOf({ from, replyTo }: Sender, id: string, email: string) {
  const back =
    replyTo === undefined ? senderOf(from).address : replyAddress(senderOf(replyTo).address, id);
  return { from: wireAddress(back), to: wireAddress(email) };
}

/** The value of `List-Unsubscribe-Post` (RFC 8058). */
export const ONE_CLICK = 'List-Unsubscribe=One-Click';

/** The merge field of the link that each mail's header has, too. */
export const UNSUBSCRIBE_FIELD = 'unsubscribe_link';

/**
 * Builds the mail of a campaign once; what it answers merges it for a recipient, headers and all, as
 * it goes over the wire.
 */
export function compileMail(
  wording: Wording,
  { from, replyTo, date }: Sender,
): (to: Addressee) => Buffer {
  const sender = senderOf(from);
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  const boundary = `=_${randomBytes(16).toString('hex')}`;
  const html = compileTemplate(htmlOf(wording), {
    text: quotedPiece,
    value: (value) => quotedPiece(markupOf(value)),
  });
  const text = compileTemplate(textOf(wording), { text: quotedPiece, value: quotedPiece });
  const always = [
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
    end: `\r\n\r\n--${boundary}--\r\n`,
  };
  return ({ id, email, values: given, unsubscribeUrl }) => {
    const values = { ...given, [UNSUBSCRIBE_FIELD]: unsubscribeUrl };
    const own = [
      `To: ${wireAddress(email)}`,
      `Subject: ${headerText(mergedSubject(wording.subject, values))}`,
      `Message-ID: <${id}@${domain}>`,
      `List-Unsubscribe: <${unsubscribeUrl}>`,
    ].join('\r\n');
    return Buffer.from(
      `${always}\r\n${own}\r\n${parts.text}${text(values)}${parts.html}${html(values)}${parts.end}`,
    );
  };
}

/** The layout with the mail in it, and what inboxes show beside the subject before everything else. */
export function htmlOf({ layoutHtml, contentHtml, preheader }: Wording): string {
  const filled = fillIn(layoutHtml, contentHtml);
  if (!preheader) {
    return filled;
  }
  const hidden = `<div style="display:none;max-height:0;overflow:hidden">${escaped(preheader)}</div>`;
  const body = /<body\b[^>]*>/i.exec(filled);
  const at = body ? body.index + body[0].length : 0;
  return filled.slice(0, at) + hidden + filled.slice(at);
}

/** Markup alone is escaped: names of fields have none. */
const escaped = (text: string): string => markupOf(text);

const require = createRequire(import.meta.url);

/** The same for people who read no HTML; fields stay fields. */
export function textOf({ layoutHtml, contentHtml }: Wording): string {
  const { convert } = require('html-to-text') as typeof import('html-to-text');
  const plain = { options: { uppercase: false } };
  return convert(fillIn(layoutHtml, contentHtml), {
    wordwrap: false,
    limits: { maxInputLength: TEXT_SOURCE_MAX },
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...plain })),
      { selector: 'table', format: 'block' },
      { selector: 'img', format: 'skip' },
    ],
  });
}

const TEXT_SOURCE_MAX = 2_000_000;
