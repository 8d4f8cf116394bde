import { waitAfter } from '#lib/retry-wait.ts';
import type { Settled } from './claim-recipients.ts';
import type { SmtpOutcome } from '../../conversations/providers/smtp/outcome.ts';

/** The result of sending one mail of a campaign. */
export type SendOutcome =
  | {
      readonly result: 'sent';
      /** The bridge's id of the mail; bounces refer to it. */
      readonly externalId?: string;
    }
  | (Exclude<SmtpOutcome, { readonly result: 'sent' }> & {
      readonly retryAfterMs?: number | undefined;
    });

/** The `heldBecause` of a campaign whose mail server cannot be reached. */
const SERVER_DOWN = 'mail_server_away';

/**
 * Returns the outcome, with the last failed attempt of a recipient turned into `stuck` if no mail has
 * reached the server: the address is not to blame, and every other recipient would fail, too.
 */
export function finalOutcome(
  outcome: SendOutcome,
  { attempts, isReached }: { readonly attempts: number; readonly isReached: boolean },
  steps: readonly number[],
): SendOutcome {
  const isLast = outcome.result === 'again' && attempts >= steps.length;
  return isLast && outcome.isUnreached && !isReached
    ? { ...outcome, result: 'stuck', errorCode: SERVER_DOWN }
    : outcome;
}

/** Returns what to record for a recipient after an attempt, with the wait before the next one. */
export function settle(
  { id, attempts }: { readonly id: string; readonly attempts: number },
  outcome: SendOutcome,
  steps: readonly number[],
): Settled {
  if (outcome.result === 'sent') {
    const { externalId } = outcome;
    return {
      id,
      status: 'sent',
      ...NO_ERROR,
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

const NO_ERROR = { errorCode: null, errorMessage: null, waitMs: null, isAttempt: true };
