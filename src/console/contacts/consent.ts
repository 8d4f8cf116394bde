import { Type } from 'typebox';
import { invalidField } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View, Work } from '#core/work.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import type { DoNotDisturb } from '../../contacts/contact.entity.ts';
import { readContact } from '../../contacts/contact.store.ts';
import { findSuppressionsOf } from '../../contacts/consent/suppressions.ts';

const CHANNELS = ['email', 'sms'] as const;

export const addressBody = s.request({
  channel: s.oneOf(CHANNELS),
  address: Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'an email address or phone number of the contact',
    examples: ['ada@example.com'],
  }),
});

export const consentSchema = s.response({
  dnd: Type.Record(Type.String(), Type.Boolean(), {
    description: 'by channel, without what the suppressions add',
  }),
  addresses: Type.Array(
    s.response({
      channel: s.oneOf(CHANNELS),
      address: Type.String({ examples: ['ada@example.com'] }),
      suppressed: s.nullable(
        s.response({
          reason: Type.String({ examples: ['unsubscribe'] }),
          createdAt: s.isoTime(),
        }),
      ),
    }),
    { description: 'the channel and address of each email address and phone number' },
  ),
});

interface ContactRow {
  readonly dnd: DoNotDisturb;
  readonly addresses: readonly string[];
}

const channelOf = (address: string) => (address.includes('@') ? 'email' : 'sms');

/** Returns what a contact may be sent, and which of their addresses are suppressed. */
export async function findConsent(view: View, contactId: string) {
  await readContact(view, contactId);
  const [contact] = await view.rows<ContactRow>(FIND, [view.subAccountId, contactId]);
  const { dnd, addresses } = contact ?? { dnd: {}, addresses: [] };
  const suppressions = await findSuppressionsOf(view, contactId);
  return {
    dnd,
    addresses: addresses.map((address) => {
      const channel = channelOf(address);
      const found = suppressions.find((one) => one.address === address && one.channel === channel);
      const suppressed = found && { reason: found.reason, createdAt: found.createdAt };
      return { channel, address, suppressed: suppressed ?? null };
    }),
  };
}

const FIND = 'select dnd, addresses from contacts where sub_account_id = $1 and id = $2';

/** Throws unless the contact has the address and the channel can reach it. */
export async function assertAddressOf(
  work: Work,
  contactId: string,
  { channel, address }: { readonly channel: string; readonly address: string },
): Promise<void> {
  await readContact(work, contactId);
  const [contact] = await work.rows<ContactRow>(FIND, [work.subAccountId, contactId]);
  const own = contact?.addresses.includes(normalised(address));
  if (!own || channelOf(address) !== channel) {
    throw invalidField('/address', `is not an address of this contact for ${channel}`);
  }
}
