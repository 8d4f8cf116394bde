import type { JobContext } from '#core/job.ts';
import { SECOND_MS } from '#lib/duration.ts';
import type { Channel } from '../../contacts/channels.ts';
import { PRIVATE_ADDRESS } from '../providers/http-outcome.ts';
import type { SendResult } from '../providers/provider.ts';

interface FailureInput {
  readonly subAccountId: string;
  readonly message: { readonly id: string; readonly channel: Channel };
  readonly outcome: SendResult;
  readonly waitMs: number | undefined;
}

/** Logs an attempt that is repeated, and a message that failed, without the provider's text: it may name the recipient. */
export function logSendFailure(
  { log, attempt }: Pick<JobContext, 'log' | 'attempt'>,
  { subAccountId, message: { id: messageId, channel }, outcome, waitMs }: FailureInput,
): void {
  const about = { subAccountId, messageId, channel, attempt };
  if (outcome.result === 'taken') {
    return;
  }
  const { errorCode } = outcome;
  if (outcome.result === 'again' && waitMs !== undefined) {
    const retryInSeconds = Math.round(waitMs / SECOND_MS);
    log.warn({ ...about, errorCode, retryInSeconds }, 'message not accepted; trying again');
  } else if (errorCode === PRIVATE_ADDRESS) {
    const text = 'message failed; FRONTDESK_OUTBOUND_ALLOW lacks its provider';
    log.warn({ ...about, errorCode, reason: outcome.errorMessage }, text);
  } else {
    log.warn({ ...about, errorCode }, TEXTS[outcome.result]);
  }
}

const TEXTS = {
  again: 'message failed: no further attempt is made',
  refused: 'message failed: the provider refused it',
  unknown: 'message failed: it is unknown whether the provider accepted it',
} as const;
