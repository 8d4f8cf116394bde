import { createHash } from 'node:crypto';
import { inOneLine, senderOf } from '#platform/mail/mailer.ts';
import type { InboundMessage, WebhookContent } from '../inbound/callback.schema.ts';
import { inboundHtml } from '../inbound/inbound-body.ts';
import { stripInvalidText } from '../providers/json-access.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import { bouncesIn } from './delivery-status.ts';
import {
  filesOf,
  textOf,
  addressesIn,
  headerOf,
  messageIdsIn,
  readMail,
  unreadable,
  type Mail,
  recipientsOf,
} from './read-mail.ts';
import { isSenderRefuted } from './sender-proof.ts';
import { repliedTo, namedMessage } from './mail-thread.ts';

const ADDRESS_MAX = 320;
const LINE_MAX = 998;
const REFERENCES_MAX = 50;

export type MailSettings = ChannelSetup['settings'];

export type ExplainedMail = Pick<WebhookContent, 'inbound' | 'receipts'> & {
  /** Why the mail is ignored. */
  readonly ignored?: string;
};

/**
 * Parses a mail: an inbound message, a bounce, or nothing. Throws VALIDATION_ERROR if it cannot be read.
 * Called directly, a large mail may block the thread for seconds: `parseMail` does not.
 */
export async function explainMail(
  raw: Buffer,
  { settings }: { readonly settings: MailSettings },
): Promise<ExplainedMail> {
  const mail = await readMail(raw);
  const receipts = bouncesIn(mail);
  const ignored = receipts.length > 0 ? undefined : ignoredBecause(mail, ownAddresses(settings));
  if (receipts.length > 0 || ignored !== undefined) {
    return { inbound: [], receipts, ...(ignored !== undefined && { ignored }) };
  }
  return { inbound: [messageIn(mail, raw)], receipts };
}

function messageIn(mail: Mail, raw: Buffer): InboundMessage {
  const [sender] = addressesIn(mail, 'from', 'sender');
  if (!sender || sender.address.length > ADDRESS_MAX) {
    throw unreadable('it has no sender');
  }
  const recipients = recipientsOf(mail);
  const html = inboundHtml(mail.html);
  const attachments = filesOf(mail);
  const subject = lineOf(mail.subject);
  const contactName = lineOf(sender.name);
  const threadToken = repliedTo(recipients);
  return {
    externalId: externalIdOf(mail, raw),
    from: lineOf(sender.address),
    bodyText: textOf(mail),
    ...(recipients[0] !== undefined && { to: lineOf(recipients[0], ADDRESS_MAX) }),
    ...(html !== undefined && { bodyHtml: html }),
    ...(attachments.length > 0 && { attachments }),
    ...(subject !== '' && { subject }),
    ...(contactName !== '' && { contactName }),
    ...timeOf(mail),
    references: answeredBy(mail),
    isUnproven: isSenderRefuted(mail, sender.address),
    ...(threadToken !== undefined && { threadToken }),
  };
}

/**
 * Text on one line, without control characters and characters cut in half. It is cut before, too: a header
 * may have 512 KiB.
 */
const lineOf = (text = '', max = LINE_MAX): string =>
  stripInvalidText(inOneLine(text.slice(0, 4 * max)).slice(0, max));

/** The Message-ID; without one, a hash of the mail, so that a repeated mail has the same id. */
function externalIdOf(mail: Mail, raw: Buffer): string {
  const given = headerOf(mail, 'message-id') ?? '';
  const isMessageId = /^<[!-;=?-~]+>$/.test(given) && given.length <= LINE_MAX;
  return isMessageId ? given : hashId(raw);
}

export const hashId = (raw: Buffer): string =>
  `sha256:${createHash('sha256').update(raw).digest('hex')}`;

function timeOf({ date }: Mail): { readonly timestamp?: number } {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? {} : { timestamp: time };
}

/** Nearest first. */
function answeredBy(mail: Mail): string[] {
  const answered = messageIdsIn(mail, 'in-reply-to');
  const before = messageIdsIn(mail, 'references').toReversed();
  return [...new Set([...answered, ...before])].slice(0, REFERENCES_MAX);
}

/** The channel's own addresses. */
function ownAddresses(settings: MailSettings): string[] {
  const imap = settings['imap'] as { readonly user?: unknown } | null | undefined;
  return [settings['from'], settings['replyTo'], settings['user'], imap?.user]
    .filter((one): one is string => typeof one === 'string' && one.includes('@'))
    .map((one) => senderOf(one).address.toLowerCase());
}

/**
 * Returns why a mail is not a message from a person; undefined if it is one. Copies of own mails with
 * another sender are recognised when they are stored.
 */
function ignoredBecause(mail: Mail, own: readonly string[]): string | undefined {
  if (addressesIn(mail, 'from').some(({ address }) => own.includes(address.toLowerCase()))) {
    return 'sent by this channel';
  }
  if (isAutomatic(mail)) {
    return 'automatic mail';
  }
  return isForMany(mail, own) && !isReplyToUs(mail) ? 'newsletter or mailing list' : undefined;
}

/** Headers of automatic mails (RFC 3834 and its predecessors). */
function isAutomatic(mail: Mail): boolean {
  const given = (name: string) => (headerOf(mail, name) ?? '').toLowerCase();
  const [sender = ''] = addressesIn(mail, 'from').map(({ address }) => address.toLowerCase());
  return (
    !/^(?:no\b|$)/.test(given('auto-submitted')) ||
    !/^(?:none)?$/.test(given('x-auto-response-suppress')) ||
    /^(?:auto[_-]?reply|junk)/.test(given('precedence')) ||
    MARKS.some((name) => mail.headers.has(name) && !/^(?:no|false)$/.test(given(name))) ||
    given('return-path') === '<>' ||
    sender.startsWith('mailer-daemon@') ||
    /^multipart\/report\b/.test(given('content-type'))
  );
}

const MARKS = [
  'x-autoreply',
  'x-auto-reply',
  'x-autorespond',
  'x-autoresponder',
  'x-autoreply-from',
  'x-failed-recipients',
];

/** Newsletters and lists. A list at the channel's own address forwards mails from people. */
function isForMany(mail: Mail, own: readonly string[]): boolean {
  const list = ['list-id', 'list-post'].map((name) => headerOf(mail, name) ?? '').join(' ');
  const isOwnList = own.some(
    (address) => list.includes(address) || list.includes(`<${address.replace('@', '.')}>`),
  );
  const isList = LIST_HEADERS.some((name) => mail.headers.has(name));
  const isBulk = /^(?:bulk|list)/i.test(headerOf(mail, 'precedence') ?? '');
  return (isList || isBulk) && !isOwnList;
}

const LIST_HEADERS = ['list-id', 'list-unsubscribe', 'list-post'];

const isReplyToUs = (mail: Mail): boolean =>
  repliedTo(recipientsOf(mail)) !== undefined ||
  messageIdsIn(mail, 'in-reply-to', 'references').some((id) => namedMessage(id) !== undefined);
