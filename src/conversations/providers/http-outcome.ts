import { readRetryAfter } from '#lib/next-attempt.ts';
import type { OutboundAnswer, OutboundFailure } from '#core/outbound.ts';
import type { Failing, SendResult } from './provider.ts';

/** How long a provider may take to answer, and how much of his answer is read. */
export const HTTP_LIMITS = { timeoutMs: 30_000, readMaxBytes: 20_000 };

const ID_MAX = 998;

/** Where a provider is called: his own address unless the channel was given another. */
export const addressOf = (given: unknown, usual: string): string =>
  (typeof given === 'string' ? given : usual).replace(/\/$/, '');

/** Answers below 500 that may be another one later (contract 5). */
const PASSING = new Set([408, 429]);

export const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** Whether another attempt may go better. */
export const isPassing = (status: number): boolean => status >= 500 || PASSING.has(status);

export const unanswered = ({ failure, wasSent }: OutboundFailure): SendResult => ({
  result: 'again',
  errorCode: 'network',
  errorMessage: failure,
  mayBeAccepted: wasSent,
});

/** The provider took nothing, and says whether he may do so later. */
export const notTaken = (
  { status, headers }: Pick<OutboundAnswer, 'status' | 'headers'>,
  now: Date,
  said: Failing & { readonly isPassing?: boolean },
): SendResult => {
  const { errorCode, errorMessage } = said;
  return (said.isPassing ?? isPassing(status))
    ? {
        result: 'again',
        errorCode,
        errorMessage,
        retryAfterMs: retryAfterOf({ headers }, now),
      }
    : { result: 'refused', errorCode, errorMessage };
};

export const retryAfterOf = ({ headers }: Pick<OutboundAnswer, 'headers'>, now: Date) =>
  readRetryAfter(headers['retry-after'], now);

/** A bridge's id of what it was given. */
export const externalIdIn = ({ body }: Pick<OutboundAnswer, 'body'>): string | undefined =>
  idOf(objectIn(body)['externalId']);

/** The provider accepted the message: another attempt could send it twice. */
export const namelessAnswer = (provider: string, member: string): SendResult => ({
  result: 'unknown',
  errorCode: 'invalid_answer',
  errorMessage: `${provider} took the message but answered no ${member} of 1 to ${ID_MAX} characters`,
});

/** A provider's id of a message, where the value can be one: in two bytes a letter, as an index takes. */
export const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\u0020-\u07ff]+$/.test(value) && value.length <= ID_MAX
    ? value
    : undefined;

/** An answer's JSON object; one without members where it is anything else. */
export function objectIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
