import type { JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';

/** A turn that is not renewed ends by itself: its worker was killed, or hangs. */
const LEASE_S = 5;
const RENEW_EVERY_MS = 1_200;
const LEASE_END = `now() + interval '${LEASE_S} s'`;

/** The right of one run of a job to mail for a sub-account. */
export interface MailingLease {
  readonly subAccountId: string;
  /** Never used again, so that what it has claimed is known to be its own. */
  readonly lease: string;
}

/**
 * Takes the turn of mailing for the view's sub-account; undefined where another has it. Lines that
 * were claimed in a turn that has ended are those of which nobody knows whether they were mailed.
 */
export async function acquireMailingLease(view: View): Promise<MailingLease | undefined> {
  const lease = crypto.randomUUID();
  const acquired = await view.rows(TAKE, [view.subAccountId, lease]);
  if (acquired.length === 0) {
    return undefined;
  }
  await view.rows(GIVE_UP_OTHERS, [view.subAccountId, lease]);
  return { subAccountId: view.subAccountId, lease };
}

const TAKE = `insert into campaign_turns as t (sub_account_id, turn, turn_until)
  values ($1, $2, ${LEASE_END})
  on conflict (sub_account_id) do update set turn = excluded.turn, turn_until = excluded.turn_until
  where t.turn_until is null or t.turn_until < now()
  returning turn`;

const GIVE_UP_OTHERS = `update campaign_recipients set status = 'unknown', settled_at = now()
  where sub_account_id = $1 and status = 'sending' and claimed_by <> $2`;

/** When the turn that somebody else has would end at the latest. */
export const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_S * 1_000);

/** Keeps the turn for as long as `act` takes. */
export async function withMailingLease<T>(
  { subAccountId, lease }: MailingLease,
  { execute }: Pick<JobContext, 'execute'>,
  act: () => Promise<T>,
): Promise<T> {
  // Where it fails the turn may be lost; claims check it.
  const renew = () => execute(RENEW, [subAccountId, lease]).catch(() => undefined);
  const renewing = setInterval(() => void renew(), RENEW_EVERY_MS);
  try {
    return await act();
  } finally {
    clearInterval(renewing);
  }
}

const RENEW = `update campaign_turns set turn_until = ${LEASE_END}
  where sub_account_id = $1 and turn = $2`;

export const END_LEASE = `update campaign_turns set turn = null, turn_until = null
  where sub_account_id = $1 and turn = $2`;
