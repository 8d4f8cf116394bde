import { isoText } from '#core/schema/columns.ts';
import { newId } from '#lib/id.ts';
import type { View, Work } from '#core/work.ts';
import { normalised } from '../claim-addresses.ts';
import { OptOut, type OptOutChannel } from './opt-out.entity.ts';
import type { DoNotDisturb } from '../contact.entity.ts';
import type { Channel } from '../channels.ts';

interface AddressOfChannel {
  readonly channel: OptOutChannel;
  readonly address: string;
}

interface SuppressInput extends AddressOfChannel {
  /** `stop`, `unsubscribe`, `bounce`, `complaint` or `manual`. */
  readonly reason: string;
}

/** Suppresses an address on a channel. An existing suppression keeps its reason. */
export async function suppressAddress(work: Work, input: SuppressInput): Promise<OptOut> {
  const { em, subAccountId, now } = work;
  const { channel, reason } = input;
  const address = normalised(input.address);
  const id = newId(now);
  const optOut = await em.upsert(
    OptOut,
    { subAccountId, id, channel, address, reason, createdAt: now },
    { onConflictFields: ['subAccountId', 'address', 'channel'], onConflictAction: 'ignore' },
  );
  if (optOut.id === id) {
    work.audit(id);
  }
  return optOut;
}

interface UnsuppressInput extends AddressOfChannel {
  /** Removes only a suppression with this reason. */
  readonly reason?: string;
}

/** Removes the suppression of an address and returns it, or undefined without a match. */
export async function unsuppressAddress(
  work: Work,
  { channel, address, reason }: UnsuppressInput,
): Promise<OptOut | undefined> {
  const { em, subAccountId } = work;
  const optOut = await em.findOne(OptOut, {
    subAccountId,
    channel,
    address: normalised(address),
    ...(reason !== undefined && { reason }),
  });
  const erased = await work.rows<OptOut>(REMOVE_ERASED, [
    subAccountId,
    channel,
    normalised(address),
    reason ?? null,
  ]);
  if (optOut) {
    em.remove(optOut);
  }
  const removed = optOut ?? erased[0];
  if (removed) {
    work.audit(removed.id);
  }
  return removed;
}

/** The suppression of an address that was erased with its person. */
const REMOVE_ERASED = `delete from erased_opt_outs e using sub_accounts s
  where e.sub_account_id = $1 and e.channel = $2 and s.id = e.sub_account_id
    and e.address_hash = hash_address(s.erasure_key, $3) and ($4::text is null or e.reason = $4)
  returning e.id, e.channel, $3::text as address, e.reason, e.created_at as "createdAt"`;

export interface SuppressionRow {
  readonly id: string;
  readonly channel: OptOutChannel;
  /** Null if the address was erased with its person. */
  readonly address: string | null;
  readonly reason: string;
  readonly createdAt: string;
}

interface SuppressionFilter {
  readonly channel: OptOutChannel;
  readonly address?: string | undefined;
}

/** Returns the suppressed addresses of a channel, newest first. */
export const findSuppressions = (
  view: View,
  { channel, address }: SuppressionFilter,
): Promise<SuppressionRow[]> =>
  view.rows(FIND, [view.subAccountId, channel, address === undefined ? null : normalised(address)]);

const FIND = `select id, channel, address, reason, ${isoText('created_at')} as "createdAt" from (
    select id, channel, address, reason, created_at from opt_outs
    where sub_account_id = $1 and channel = $2 and ($3::text is null or address = $3)
    union all
    select e.id, e.channel, $3, e.reason, e.created_at
    from erased_opt_outs e join sub_accounts s on s.id = e.sub_account_id
    where e.sub_account_id = $1 and e.channel = $2
      and ($3 is null or e.address_hash = hash_address(s.erasure_key, $3))
  ) as listed
  order by id desc`;

/** A suppression of one of a contact's addresses. */
export type ContactSuppressionRow = SuppressionRow & { readonly address: string };

/** Returns the suppressions of every address of a contact, newest first. */
export const findSuppressionsOf = (
  view: View,
  contactId: string,
): Promise<ContactSuppressionRow[]> => view.rows(FIND_OF_CONTACT, [view.subAccountId, contactId]);

const FIND_OF_CONTACT = `with own as (
    select unnest(addresses) as address from contacts where sub_account_id = $1 and id = $2
  )
  select id, channel, address, reason, ${isoText('created_at')} as "createdAt" from (
    select o.id, o.channel, o.address, o.reason, o.created_at
    from own join opt_outs o on o.sub_account_id = $1 and o.address = own.address
    union all
    select e.id, e.channel, own.address, e.reason, e.created_at
    from own join sub_accounts s on s.id = $1
    join erased_opt_outs e on e.sub_account_id = $1
      and e.address_hash = hash_address(s.erasure_key, own.address)
  ) as listed
  order by id desc`;

/** Whether a contact may be sent messages by a channel. */
export interface Suppression {
  readonly channel: Channel;
  readonly dnd: DoNotDisturb;
  /** An opt-out covers one of the contact's addresses, or the address of the message. */
  readonly isOptedOut: boolean;
}

export const isSuppressed = ({ channel, dnd, isOptedOut }: Suppression): boolean =>
  isOptedOut || dnd['all'] === true || dnd[channel] === true;

/**
 * SQL for `isOptedOut` of contact `c` in conversation `v` of sub-account `$1`. Opt-outs of `email` cover
 * gmail, too.
 */
export const optedOut = (address: string): string => `exists (
      select from opt_outs o
      where o.sub_account_id = $1 and (o.address = any(c.addresses) or o.address = ${address})
        and o.channel = case v.channel when 'gmail' then 'email' else v.channel end
    )`;

/** Whether a contact must not be sent messages on a channel, to any of their addresses. */
export async function isOptedOutOf(
  view: View,
  contactId: string,
  channel: Channel,
): Promise<boolean> {
  const values = [view.subAccountId, contactId, channel];
  const [found] = await view.rows<Omit<Suppression, 'channel'>>(OF_CONTACT, values);
  return found !== undefined && isSuppressed({ channel, ...found });
}

const OF_CONTACT = `select c.dnd, ${optedOut('null::text')} as "isOptedOut"
  from contacts c cross join (values ($3::text)) as v (channel)
  where c.sub_account_id = $1 and c.id = $2 and c.deleted_at is null`;
