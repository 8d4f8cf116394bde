import type { Work } from '#core/work.ts';
import { createMinimalContact } from '../../contacts/create-minimal-contact.ts';
import { addressKind } from './address-kind.ts';
import type { Channel } from '../../contacts/channels.ts';
import type { Sender } from './find-sender.ts';

/** Makes a contact of whoever wrote first, named by his address where he did not say his name. */
export function addSender(
  work: Work,
  channel: Channel,
  { from, contactName }: { readonly from: string; readonly contactName?: string },
): Promise<Sender> {
  const kind = addressKind(channel, from);
  return createMinimalContact(work, {
    ...(contactName !== undefined && { fullName: contactName }),
    address: from,
    source: channel,
    ...(kind !== 'other' && { [kind]: from }),
  });
}
