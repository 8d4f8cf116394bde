import { waitAfter } from '#lib/next-attempt.ts';
import type { SendOutcome } from './campaign-provider.ts';
import type { Settled } from './claim-recipients.ts';

/** What nothing can be mailed for, as a campaign that is held says it. */
const AWAY = 'mail_server_away';

/**
 * Where a line would be given up for a server that nobody got at, the campaign is stuck instead: the
 * address is not to blame, and all the others would be given up with it. While others get there, the
 * line is.
 */
export function lastly(
  outcome: SendOutcome,
  { attempts, isReached }: { readonly attempts: number; readonly isReached: boolean },
  steps: readonly number[],
): SendOutcome {
  const isLast = outcome.result === 'again' && attempts >= steps.length;
  return isLast && outcome.isUnreached && !isReached
    ? { ...outcome, result: 'stuck', errorCode: AWAY }
    : outcome;
}

/** What is written down of an outcome after so many attempts; a soft one comes again in its time. */
export function settledBy(
  { id, attempts }: { readonly id: string; readonly attempts: number },
  outcome: SendOutcome,
  steps: readonly number[],
): Settled {
  if (outcome.result === 'sent') {
    const { externalId } = outcome;
    return {
      id,
      status: 'sent',
      ...NOTHING_WRONG,
      ...(externalId !== undefined && { externalId }),
    };
  }
  const { result, errorCode, errorMessage, retryAfterMs } = outcome;
  const failed = { id, errorCode, errorMessage, isAttempt: true };
  if (result === 'stuck') {
    return { ...failed, status: 'pending', waitMs: 0, isAttempt: false };
  }
  const attempt = attempts + 1;
  const waitMs = waitAfter({ attempt, steps, retryAfterMs, random: Math.random() });
  if (result === 'again' && waitMs !== undefined) {
    return { ...failed, status: 'pending', waitMs };
  }
  return { ...failed, status: result === 'unknown' ? 'unknown' : 'failed', waitMs: null };
}

const NOTHING_WRONG = { errorCode: null, errorMessage: null, waitMs: null, isAttempt: true };
