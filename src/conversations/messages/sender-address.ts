import { senderOf } from '#platform/mail/mailer.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isMail } from '../threads/conversation.schema.ts';

/** The settings of a channel that name its sender. */
export interface SenderSettings {
  readonly from?: unknown;
  readonly pageId?: unknown;
  readonly instagramId?: unknown;
}

/** Twilio's id of a group of numbers: Twilio chooses the number that sends. */
const MESSAGING_SERVICE = /^MG/;

/**
 * Returns the address, number or account that messages of a channel come from; for mails, the address
 * without the name. Null if the settings do not determine it.
 */
export function senderAddress(
  channel: Channel,
  provider: string | null,
  { from, pageId, instagramId }: SenderSettings,
): string | null {
  if (provider === 'meta') {
    return textOr(channel === 'instagram' ? (instagramId ?? pageId) : pageId);
  }
  const sender = textOr(from);
  if (sender === null || (provider === 'twilio' && MESSAGING_SERVICE.test(sender))) {
    return null;
  }
  return isMail(channel) ? senderOf(sender).address || null : sender;
}

const textOr = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
