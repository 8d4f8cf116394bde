import type { Work } from '#core/work.ts';
import { normalised } from '../../contacts/rows/addresses.ts';
import { addressKind } from './address-kind.ts';
import type { Channel } from '../../contacts/channels.ts';

export interface Sender {
  readonly contactId: string;
  readonly tags: readonly string[];
}

/**
 * The live contact who writes from an address, held against other writers until this work is done.
 * Looks twice: who becomes part of another meanwhile is gone from the first look, and that other one
 * is not in it yet.
 */
export async function findSender(
  work: Work,
  channel: Channel,
  from: string,
): Promise<Sender | undefined> {
  const look = () => rowsOf(work, channel, from);
  const [sender = (await look())[0]] = await look();
  return sender;
}

function rowsOf(work: Work, channel: Channel, from: string): Promise<Sender[]> {
  const { subAccountId } = work;
  switch (addressKind(channel, from)) {
    case 'email':
      return work.rows(BY_EMAIL, [subAccountId, normalised(from)]);
    case 'phone':
      return work.rows(BY_PHONE, [subAccountId, from, channel]);
    case 'other':
      return work.rows(BY_MESSAGE, [subAccountId, from, channel]);
  }
}

const BY_EMAIL = `select c.id as "contactId", c.tags
  from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = $2 and c.deleted_at is null
  for no key update of c`;

/** Of several with the same phone, the one whom the last message on the channel was with. */
const BY_PHONE = `select c.id as "contactId", c.tags
  from contacts c
  where c.sub_account_id = $1 and c.deleted_at is null and c.id in (
    select id from contacts where sub_account_id = $1 and phone = $2 and deleted_at is null
    union
    select id from contacts where sub_account_id = $1 and additional_phones @> array[$2]::text[]
      and additional_phones <> '{}' and deleted_at is null
  )
  order by (
    select max(v.last_message_at) from conversations v
    where v.sub_account_id = $1 and v.contact_id = c.id and v.channel = $3 and v.deleted_at is null
  ) desc nulls last, (c.phone = $2) desc nulls last, c.id
  limit 1 for no key update of c`;

const BY_MESSAGE = `select c.id as "contactId", c.tags
  from messages m
  join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
  join contacts c on c.sub_account_id = v.sub_account_id and c.id = v.contact_id
  where m.sub_account_id = $1 and m.from_address = $2 and m.channel = $3
    and m.direction = 'inbound' and v.deleted_at is null and c.deleted_at is null
  order by m.id desc limit 1 for no key update of c`;
