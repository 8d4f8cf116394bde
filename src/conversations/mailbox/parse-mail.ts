import { createHash } from 'node:crypto';
import { inOneLine, senderOf } from '#platform/mail/mailer.ts';
import type { InboundMessage, WebhookContent } from '../inbound/callback.schema.ts';
import { stripInvalidText } from '../providers/json-access.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';
import { ignoredBecause, recipientsOf } from './automatic-mail.ts';
import { bouncesIn } from './delivery-status.ts';
import { htmlOf, textOf } from './mail-text.ts';
import {
  addressesIn,
  headerOf,
  messageIdsIn,
  readMail,
  unreadable,
  type Mail,
} from './read-mail.ts';
import { repliedTo } from './message-id.ts';

const ADDRESS_MAX = 320;
const LINE_MAX = 998;
const REFERENCES_MAX = 50;

/**
 * Parses a mail: an inbound message, a bounce, or nothing. Throws VALIDATION_ERROR if it cannot be read.
 */
export async function parseMail(raw: Buffer, setup: ChannelSetup): Promise<WebhookContent> {
  const { inbound, receipts } = await explainMail(raw, setup);
  return { inbound, receipts };
}

/** Like `parseMail`, with the reason why a mail is ignored. */
export async function explainMail(
  raw: Buffer,
  { settings }: Pick<ChannelSetup, 'settings'>,
): Promise<WebhookContent & { readonly ignored?: string }> {
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
  const html = htmlOf(mail);
  const subject = lineOf(mail.subject);
  const contactName = lineOf(sender.name);
  const threadToken = repliedTo(recipients);
  return {
    externalId: externalIdOf(mail, raw),
    from: lineOf(sender.address),
    bodyText: textOf(mail),
    ...(recipients[0] !== undefined && { to: lineOf(recipients[0], ADDRESS_MAX) }),
    ...(html !== undefined && { bodyHtml: html }),
    ...(subject !== '' && { subject }),
    ...(contactName !== '' && { contactName }),
    ...timeOf(mail),
    references: answeredBy(mail),
    ...(threadToken !== undefined && { threadToken }),
  };
}

/** Text on one line, without control characters and characters cut in half. */
const lineOf = (text = '', max = LINE_MAX): string =>
  stripInvalidText(inOneLine(text).slice(0, max));

/** The Message-ID; without one, a hash of the mail, so that a repeated mail has the same id. */
function externalIdOf(mail: Mail, raw: Buffer): string {
  const given = headerOf(mail, 'message-id') ?? '';
  const isMessageId = /^<[!-;=?-~]+>$/.test(given) && given.length <= LINE_MAX;
  return isMessageId ? given : `sha256:${createHash('sha256').update(raw).digest('hex')}`;
}

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
function ownAddresses(settings: ChannelSetup['settings']): string[] {
  const imap = settings['imap'] as { readonly user?: unknown } | null | undefined;
  return [settings['from'], settings['replyTo'], settings['user'], imap?.user]
    .filter((one): one is string => typeof one === 'string' && one.includes('@'))
    .map((one) => senderOf(one).address.toLowerCase());
}
