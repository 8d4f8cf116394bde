import { issuesOf } from '#core/schema/check.ts';
import * as s from '#core/schema/schema.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isMail } from '../threads/conversation.schema.ts';

const email = s.email();
const phone = s.phone();

/** What a sender's address says of his contact: a short code or a provider's id is no phone of his. */
export function addressKind(channel: Channel, address: string): 'email' | 'phone' | 'other' {
  if (isMail(channel) && issuesOf(email, address).length === 0) {
    return 'email';
  }
  return channel === 'sms' && issuesOf(phone, address).length === 0 ? 'phone' : 'other';
}
