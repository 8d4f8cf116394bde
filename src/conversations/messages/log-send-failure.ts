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

/** Logs an attempt that is repeated, and a message that fails because its provider may not be reached. */
export function logSendFailure(
  { log, attempt }: Pick<JobContext, 'log' | 'attempt'>,
  { subAccountId, message: { id: messageId, channel }, outcome, waitMs }: FailureInput,
): void {
  const about = { subAccountId, messageId, channel, attempt };
  if (outcome.result === 'refused' && outcome.errorCode === PRIVATE_ADDRESS) {
    const { errorCode, errorMessage: reason } = outcome;
    const text = 'message failed; FRONTDESK_OUTBOUND_ALLOW lacks its provider';
    log.warn({ ...about, errorCode, reason }, text);
  }
  if (outcome.result === 'again' && waitMs !== undefined) {
    // Without the provider's message: it may name the recipient.
    const { errorCode } = outcome;
    const retryInSeconds = Math.round(waitMs / SECOND_MS);
    log.warn({ ...about, errorCode, retryInSeconds }, 'message not accepted; trying again');
  }
}
