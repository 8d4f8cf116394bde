import { defineLease, leaseLost } from '#platform/database/lease.ts';
import type { Database } from '#platform/database/database.ts';

export const mailboxLease = defineLease({
  table: 'mailboxes',
  keys: ['sub_account_id', 'id'],
  holder: 'holder',
  until: 'held_until',
  durationS: 10,
});

/** Mailboxes per worker: each is an open connection that may hold a mail of 25 MiB. */
const MAILBOXES_MAX = 200;

/** The mailbox of an email channel. */
export interface Mailbox {
  readonly subAccountId: string;
  /** The channel's id. */
  readonly id: string;
  /** Differs after every change of the channel. */
  readonly version: string;
}

/** The worker that reads mailboxes. */
export type LeaseHolder = string;

/** Renews the holder's leases, acquires free ones, and returns all mailboxes that it holds now. */
export const acquireLeases = (
  { rows }: Pick<Database, 'rows'>,
  holder: LeaseHolder,
): Promise<Mailbox[]> => rows<Mailbox>(ACQUIRE, [holder, MAILBOXES_MAX]);

/** Mailboxes of sandboxes, of deleted sub-accounts and of channels without IMAP are not read. */
const ACQUIRE = `with wanted as materialized (
    select c.sub_account_id, c.id, c.updated_at, m.holder = $1 as is_mine
    from channels c
    join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null and not a.sandbox
    left join mailboxes m on m.sub_account_id = c.sub_account_id and m.id = c.id
    where c.channel = 'email' and jsonb_typeof(c.settings -> 'imap') = 'object'
      and not ${mailboxLease.isHeldElsewhere('m', '$1')}
    order by is_mine desc nulls last, c.sub_account_id limit $2
  ), held as (
    ${mailboxLease.acquireOrInsert('select * from wanted', '$1::uuid')}
  )
  select h.sub_account_id as "subAccountId", h.id, w.updated_at::text as version
  from held h join wanted w on w.sub_account_id = h.sub_account_id and w.id = h.id`;

export const mailboxLost = (): Error => leaseLost('another worker reads the mailbox');

/** Ends all leases of the holder, so that other workers can acquire them at once. */
export const releaseLeases = ({ rows }: Pick<Database, 'rows'>, holder: LeaseHolder) =>
  rows(mailboxLease.releaseAll, [holder]);
