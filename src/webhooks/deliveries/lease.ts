import type { JobContext } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import type { Ended } from './close-pending.ts';

/** A turn that is not renewed ends by itself: its worker was killed, or hangs. */
const LEASE_S = 10;
const RENEW_EVERY_MS = 3_000;

/** The right of one job to serve a subscription. */
export interface Lease {
  readonly subAccountId: string;
  readonly subscriptionId: string;
  /** Names the job; the same job, run again after its worker died, goes on at once. */
  readonly lease: string;
}

/** SQL over subscription `s`, for the job `$3`. */
export const HELD_ELSEWHERE = `coalesce(s.turn <> $3 and s.turn_until > now(), false)`;
export const LEASE_END = `now() + interval '${LEASE_S} s'`;

/** Keeps the turn for as long as `act` takes. */
export async function withLease<T>(
  { subAccountId, subscriptionId, lease }: Lease,
  { execute }: Pick<JobContext, 'execute'>,
  act: () => Promise<T>,
): Promise<T> {
  // Where it fails the turn may be lost, and some events be sent twice.
  const renew = () => execute(RENEW, [subAccountId, subscriptionId, lease]).catch(() => undefined);
  const renewing = setInterval(() => void renew(), RENEW_EVERY_MS);
  try {
    return await act();
  } finally {
    clearInterval(renewing);
  }
}

const RENEW = `update webhook_subscriptions set turn_until = ${LEASE_END}
  where sub_account_id = $1 and id = $2 and turn = $3`;

/** How a turn ended. */
interface LeaseEnd {
  /** Another job came meanwhile and went again. */
  readonly askedAgain: boolean;
  /** What became of the subscription meanwhile. */
  readonly ended: Ended | null;
}

export async function endLease(work: Work, { subscriptionId, lease }: Lease): Promise<LeaseEnd> {
  const [end] = await work.rows<LeaseEnd>(END, [work.subAccountId, subscriptionId, lease]);
  return end ?? { askedAgain: false, ended: null };
}

const END = `update webhook_subscriptions set turn = null, turn_until = null
  where sub_account_id = $1 and id = $2 and turn = $3
  returning asked_again as "askedAgain",
    case when deleted_at is not null then 'deleted' when status = 'disabled' then 'disabled' end
      as ended`;
