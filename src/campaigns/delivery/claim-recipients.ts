import { HAS_DND, isOptedOut } from '../audience/resolve-audience.ts';
import type { View } from '#core/work.ts';
import { defineLease } from '#platform/database/lease.ts';

/** The exclusive right of one job run to send the campaign mails of a sub-account. */
export interface MailingLease {
  readonly subAccountId: string;
  /** New for every run: identifies the recipients that the run has claimed. */
  readonly holder: string;
}

export const mailingLease = defineLease({
  table: 'campaign_turns',
  keys: ['sub_account_id'],
  holder: 'turn',
  until: 'turn_until',
  durationS: 5,
});

/** The parameters of the lease's statements: key and holder. */
export const heldBy = ({ subAccountId, holder }: MailingLease) => [subAccountId, holder];

/**
 * Acquires the lease of the view's sub-account. Returns undefined if another run has it. Recipients
 * that were claimed under an earlier lease become `unknown`: their mails may have been sent.
 */
export async function acquireMailingLease(view: View): Promise<MailingLease | undefined> {
  const lease = { subAccountId: view.subAccountId, holder: crypto.randomUUID() };
  const acquired = await view.rows(ACQUIRE, heldBy(lease));
  if (acquired.length === 0) {
    return undefined;
  }
  await view.rows(GIVE_UP_CLAIMED, heldBy(lease));
  return lease;
}

const ACQUIRE = mailingLease.acquireOrInsert('select $1::uuid as sub_account_id', '$2::uuid');

const GIVE_UP_CLAIMED = `update campaign_recipients set status = 'unknown', settled_at = now()
  where sub_account_id = $1 and status = 'sending' and claimed_by <> $2`;

/** The recorded outcome of a recipient. `pending` is tried again after `waitMs`. */
export interface Settled {
  readonly id: string;
  readonly status: 'pending' | 'sent' | 'failed' | 'unknown';
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly waitMs: number | null;
  /** The bridge's id of the mail. */
  readonly externalId?: string;
  /** Whether it counts as an attempt. */
  readonly isAttempt: boolean;
}

/** A claimed recipient, with the values of merge fields. */
export interface ClaimedRecipient {
  readonly id: string;
  readonly email: string;
  readonly address: string;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly status: 'sending' | 'skipped';
  readonly firstName: string;
  readonly lastName: string;
  readonly contactEmail: string | null;
  readonly phone: string | null;
  readonly company: string | null;
  /** The contact was merged while its mail was under way: a merge moves only recipients that wait. */
  readonly isMerged: boolean;
}

/** A row with id null means: state only, nothing claimed. */
export interface ClaimRow extends Omit<ClaimedRecipient, 'id'> {
  readonly id: string | null;
  /** The campaign was not paused, held or cancelled, and the lease is still held. */
  readonly isOn: boolean;
  /** How many of the outcomes were recorded. */
  readonly settled: number;
}

const OUTCOME = `select *, now() as now, now() + wait_ms * interval '1 ms' as due_at from unnest(
    $4::uuid[], $5::text[], $6::text[], $7::text[], $8::int8[], $9::int2[], $10::text[])
  as t (id, status, error_code, error_message, wait_ms, attempts, external_id)`;

/** Each status has a partial index, so that this reads no other recipients. */
const settle = (status: 'sending' | 'unknown'): string => `update campaign_recipients r set
    status = outcome.status, attempts = r.attempts + outcome.attempts,
    error_code = outcome.error_code, error_message = outcome.error_message,
    external_id = outcome.external_id,
    due_at = outcome.due_at,
    claimed_by = case when outcome.status = 'pending' then null else r.claimed_by end,
    settled_at = case when outcome.status = 'pending' then null else outcome.now end
  from outcome
  where r.sub_account_id = $1 and r.campaign_id = $2 and r.id = outcome.id and r.claimed_by = $3
    and r.status = '${status}'
  returning r.id`;

/**
 * Records outcomes and claims up to `$12` further recipients after the id `$11`. One statement, since it
 * runs some hundred times a second (bench scenario `campaign`). `$1` sub-account, `$2` campaign, `$3`
 * holder of the lease, `$4` to `$10` outcomes. Contacts that have opted out since the
 * start are skipped. Conditions that are rarely met belong in a statement of their own: with one of
 * them, PostgreSQL planned this one at each call, which took five times as long as running it.
 *
 * PostgreSQL expects one row of a sub-account that its statistics do not know yet. Joins by id would then read
 * all of its rows for each other: `ctid` and `offset 0` decide their order.
 */
export const CLAIM = `with outcome as (${OUTCOME}
  ), settled as (${settle('sending')}
  ), state as (
    select exists (
      select from campaigns c where c.sub_account_id = $1 and c.id = $2 and c.status = 'sending'
    ) and exists (
      select from campaign_turns t
      where t.sub_account_id = $1 and ${mailingLease.isHeldBy('t', '$3')}
    ) as is_on, now() as now
  ), next as (
    select r.ctid as place, r.contact_id, r.address from campaign_recipients r
    where r.sub_account_id = $1 and r.campaign_id = $2 and r.status = 'pending' and r.id > $11
      and (r.due_at is null or r.due_at <= now()) and (select is_on from state)
    order by r.id limit $12 for update skip locked
  ), claimed as (
    update campaign_recipients r set claimed_by = $3,
      status = case when consent.is_suppressed then 'skipped' else 'sending' end,
      settled_at = case when consent.is_suppressed then state.now end
    from next
    cross join state
    cross join lateral (
      select m.merged_into from contacts m
      where m.sub_account_id = $1 and m.id = next.contact_id offset 0
    ) as m
    cross join lateral (
      select c.* from contacts c
      where c.sub_account_id = $1 and c.id = coalesce(m.merged_into, next.contact_id) offset 0
    ) as c
    cross join lateral (
      select c.deleted_at is not null or ${HAS_DND} or ${isOptedOut('next.address')} as is_suppressed
    ) as consent
    where r.sub_account_id = $1 and r.ctid = next.place
    returning r.id, r.email, r.address, r.attempts, r.status, c.first_name as "firstName",
      c.last_name as "lastName", c.email as "contactEmail", c.phone, c.company,
      m.merged_into is not null as "isMerged"
  )
  select state.is_on as "isOn", (select count(*)::int from settled) as "settled", claimed.*
  from state left join claimed on true order by claimed.id`;

/**
 * Records outcomes of recipients that became `unknown` before, since the lease had ended. `$1` to `$10` as
 * for `CLAIM`.
 */
export const SETTLE_UNKNOWN = `with outcome as (${OUTCOME}) ${settle('unknown')}`;

/**
 * Skips those of the claimed recipients `$4` whose person is mailed at another address instead, since
 * their contact was merged. `$1` sub-account, `$2` campaign, `$3` holder of the lease.
 */
export const SKIP_REPEATED = `update campaign_recipients k
  set status = 'skipped', error_code = 'merged', settled_at = now()
  from contacts m
  where k.sub_account_id = $1 and k.id = any($4::uuid[]) and k.status = 'sending'
    and k.claimed_by = $3 and m.sub_account_id = $1 and m.id = k.contact_id
    and m.merged_into is not null and exists (
      select from campaign_recipients o
      join contacts x on x.sub_account_id = $1 and x.id = o.contact_id
      where o.sub_account_id = $1 and o.campaign_id = $2 and o.id <> k.id
        and (x.id = m.merged_into or x.merged_into = m.merged_into)
        and case when o.status = 'pending' or o.id = any($4::uuid[])
          then x.id = m.merged_into or o.id < k.id
          else o.status in ('sending', 'sent', 'unknown') end
    )
  returning k.id`;

interface Claiming {
  readonly subAccountId: string;
  readonly campaignId: string;
  readonly holder: string;
}

/** Returns the parameters of `SETTLE_UNKNOWN`, the first ones of `CLAIM`. */
export const settleValues = (
  { subAccountId, campaignId, holder }: Claiming,
  settled: readonly Settled[],
): unknown[] => [
  subAccountId,
  campaignId,
  holder,
  settled.map(({ id }) => id),
  settled.map(({ status }) => status),
  settled.map(({ errorCode }) => errorCode),
  settled.map(({ errorMessage }) => errorMessage),
  settled.map(({ waitMs }) => waitMs),
  settled.map(({ isAttempt }) => (isAttempt ? 1 : 0)),
  settled.map(({ externalId }) => externalId ?? null),
];
