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
 * The address, number or account that messages of a channel come from: the bare address of a mail
 * channel, without its name. Null where the settings do not say.
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
