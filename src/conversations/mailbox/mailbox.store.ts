import { defineLease, leaseLost } from '#platform/database/lease.ts';
import type { Database } from '#platform/database/database.ts';
import type { Work } from '#core/work.ts';

export const mailboxLease = defineLease({
  table: 'mailboxes',
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

/**
 * Ends all leases of the holder, so that other workers can acquire them at once. A mail that it left
 * in peace does not count as begun.
 */
export async function releaseLeases({ rows }: Rows, holder: LeaseHolder): Promise<void> {
  await rows(FORGET_START, [holder]);
  await rows(mailboxLease.releaseAll, [holder]);
}

const FORGET_START = `update mailboxes set starts = greatest(0, starts - 1), reading_by = null
  where holder = $1 and reading_by = $1`;

/** How far a mailbox has been read. */
export interface Position {
  /** The last mail that was handled. */
  readonly lastUid: number;
  /** Mails up to this one are skipped if they arrived before `since`. */
  readonly historyUid: number;
  readonly since: Date;
}

/** The UID state of an opened mailbox. */
export interface UidValidity {
  readonly uidValidity: bigint;
  /** The UID of the next mail. */
  readonly uidNext: number;
}

interface OpenedMailbox extends UidValidity {
  readonly place: string;
}

type Rows = Pick<Database, 'rows'>;

/**
 * Returns where to continue; undefined if the lease is lost. A mailbox that is opened for the first time
 * starts at its end. After a change of UIDVALIDITY it is read again as far back as mails may be missing:
 * known mails are recognised by their Message-ID.
 */
export async function openPosition(
  { rows }: Rows,
  holder: LeaseHolder,
  { subAccountId, id }: Mailbox,
  { place, uidValidity, uidNext }: OpenedMailbox,
): Promise<Position | undefined> {
  const values = [subAccountId, id, holder, place, String(uidValidity), uidNext - 1];
  const [position] = await rows<Position>(OPEN, values);
  return position;
}

/** How far back mails may have been missed. In UTC: sums of other times depend on the session's zone. */
const LOOK_BACK = `(seen_at at time zone 'UTC' - interval '2 days') at time zone 'UTC'`;

/**
 * The clock is a table, because Citus accepts only immutable functions in a case. Arrival times of mails
 * are whole seconds.
 */
const OPEN = `update mailboxes set
    place = $4, uid_validity = $5::bigint,
    last_uid = case when place is distinct from $4 then $6::bigint
      when uid_validity <> $5::bigint then 0 else last_uid end,
    history_uid = case when place is distinct from $4 then 0
      when uid_validity <> $5::bigint then $6::bigint else history_uid end,
    since = case when place is distinct from $4 then clock.second
      when uid_validity <> $5::bigint then greatest(since, ${LOOK_BACK}) else since end,
    seen_at = case when place is distinct from $4 then clock.now else seen_at end
  from (select now() as now, date_trunc('second', now()) as second) as clock
  where sub_account_id = $1 and id = $2 and holder = $3
  returning last_uid as "lastUid", history_uid as "historyUid", since`;

/**
 * Records that the holder begins to read a mail, and returns how many workers have begun and did not
 * end; undefined if the lease is lost. A holder that begins again has not died meanwhile.
 */
export async function beginMail(
  { rows }: Rows,
  holder: LeaseHolder,
  { subAccountId, id }: Mailbox,
  uid: number,
): Promise<number | undefined> {
  const [begun] = await rows<{ starts: number }>(BEGIN, [subAccountId, id, holder, uid]);
  return begun?.starts;
}

const BEGIN = `update mailboxes set reading_uid = $4::bigint, reading_by = $3,
    starts = case when reading_uid is distinct from $4::bigint then 1
      when reading_by = $3 then starts else starts + 1 end
  where sub_account_id = $1 and id = $2 and holder = $3
  returning starts`;

/** Like `advance`, and counts the mail as given up. */
export async function giveUp(
  { rows }: Rows,
  holder: LeaseHolder,
  { subAccountId, id }: Mailbox,
  uid: number,
): Promise<boolean> {
  return (await rows(GIVE_UP, [subAccountId, id, holder, uid])).length > 0;
}

const GIVE_UP = `update mailboxes set last_uid = $4::bigint, seen_at = now(), skipped = skipped + 1,
    skipped_at = now()
  where sub_account_id = $1 and id = $2 and holder = $3
  returning id`;

/** Records that mails up to the UID were handled. Returns false if the lease is lost. */
export async function advance(
  { rows }: Rows | Work,
  holder: LeaseHolder,
  { subAccountId, id }: Mailbox,
  uid: number,
): Promise<boolean> {
  return (await rows(ADVANCE, [subAccountId, id, holder, uid])).length > 0;
}

const ADVANCE = `update mailboxes set last_uid = $4::bigint, seen_at = now()
  where sub_account_id = $1 and id = $2 and holder = $3
  returning id`;
