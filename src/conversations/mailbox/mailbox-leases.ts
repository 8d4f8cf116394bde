import type { Database } from '#platform/database/database.ts';

/** A turn that is not renewed ends by itself: its worker was killed, or hangs. */
const LEASE_S = 10;
export const RENEW_EVERY_MS = 3_000;
/** Each is a connection that stays, and may hold a mail of 25 MiB. More want more workers. */
const MAILBOXES_MAX = 200;

/** A mailbox of an email channel that is set up. */
export interface Mailbox {
  readonly subAccountId: string;
  /** The channel's. */
  readonly id: string;
  /** Another one once it is set up anew. */
  readonly version: string;
}

/** Who reads mailboxes: one worker. */
export type LeaseHolder = string;

/** Renews the holder's turns, takes those that nobody has, and answers all that are now his. */
export const acquireLeases = (
  { rows }: Pick<Database, 'rows'>,
  holder: LeaseHolder,
): Promise<Mailbox[]> => rows<Mailbox>(TAKE, [holder, MAILBOXES_MAX]);

/** Those of sandboxes, of deleted sub-accounts and of channels without one are nobody's. */
const TAKE = `with wanted as materialized (
    select c.sub_account_id, c.id, c.updated_at, m.holder = $1 as is_mine
    from channels c
    join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null and not a.sandbox
    left join mailboxes m on m.sub_account_id = c.sub_account_id and m.id = c.id
    where c.channel = 'email' and jsonb_typeof(c.settings -> 'imap') = 'object'
      and (m.holder is null or m.holder = $1 or m.held_until < now())
    order by is_mine desc nulls last, c.sub_account_id limit $2
  ), held as (
    insert into mailboxes as m (sub_account_id, id, holder, held_until)
    select sub_account_id, id, $1, now() + interval '${LEASE_S} s' from wanted
    on conflict (sub_account_id, id)
    do update set holder = excluded.holder, held_until = excluded.held_until
    where m.holder is null or m.holder = $1 or m.held_until < now()
    returning m.sub_account_id, m.id
  )
  select h.sub_account_id as "subAccountId", h.id, w.updated_at::text as version
  from held h join wanted w on w.sub_account_id = h.sub_account_id and w.id = h.id`;

/** Another worker reads the mailbox by now. */
export const leaseLost = (): Error =>
  Object.assign(new Error('another worker reads the mailbox'), { code: LEASE_LOST });

export const isLeaseLost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LEASE_LOST;

const LEASE_LOST = 'TURN_LOST';

/** Lets others have them at once. */
export const releaseLeases = ({ rows }: Pick<Database, 'rows'>, holder: LeaseHolder) =>
  rows('update mailboxes set holder = null, held_until = null where holder = $1', [holder]);
