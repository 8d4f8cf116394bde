import { readRetryAfter } from '#lib/retry-wait.ts';
import type { OutboundAnswer, OutboundFailure } from '#core/outbound.ts';
import type { Failing, SendResult } from './provider.ts';

/** Limits of a request to a provider: the time it may take, and how much of the response is read. */
export const HTTP_LIMITS = { timeoutMs: 30_000, readMaxBytes: 20_000 };

/** The error code of a provider at a private address that the operator does not allow. */
export const PRIVATE_ADDRESS = 'private_address';

const ID_MAX = 998;

/** Returns the channel's base URL, else the provider's own. */
export const addressOf = (given: unknown, usual: string): string =>
  (typeof given === 'string' ? given : usual).replace(/\/$/, '');

/** Statuses below 500 that may pass (contract 5). */
const PASSING = new Set([408, 429]);

export const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** Whether another attempt may succeed. */
export const isPassing = (status: number): boolean => status >= 500 || PASSING.has(status);

/** How to interpret a provider's responses to messages. */
interface ResponseRules {
  /** The provider's name in error messages. */
  readonly provider: string;
  /** The member of the JSON response that has the message's id. */
  readonly idMember: string;
  readonly explain: (answer: OutboundAnswer) => Refusal;
}

/** Interprets a provider's response to a message. */
export function outcomeOf(
  answer: OutboundAnswer | OutboundFailure,
  now: Date,
  { provider, idMember, explain }: ResponseRules,
): SendResult {
  if ('failure' in answer) {
    return unanswered(answer);
  }
  if (!isTaken(answer.status)) {
    return notTaken(answer, now, explain(answer));
  }
  const externalId = idOf(objectIn(answer.body)[idMember]);
  return externalId === undefined
    ? namelessAnswer(provider, idMember)
    : { result: 'taken', externalId };
}

/** An error of the provider; `isPassing` overrides what the HTTP status says. */
type Refusal = Failing & { readonly isPassing?: boolean };

export const unanswered = ({
  failure: errorMessage,
  wasSent: mayBeAccepted,
  isPrivate,
  hadNoConnection = false,
}: OutboundFailure): SendResult =>
  isPrivate
    ? { result: 'refused', errorCode: PRIVATE_ADDRESS, errorMessage }
    : { result: 'again', errorCode: 'network', errorMessage, mayBeAccepted, hadNoConnection };

/** The provider did not accept the message: tried again if the failure may pass. */
export const notTaken = (
  { status, headers }: Pick<OutboundAnswer, 'status' | 'headers'>,
  now: Date,
  refusal: Refusal,
): SendResult => {
  const { errorCode, errorMessage } = refusal;
  return (refusal.isPassing ?? isPassing(status))
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

/** Returns a bridge's id of a message. */
export const externalIdIn = ({ body }: Pick<OutboundAnswer, 'body'>): string | undefined =>
  idOf(objectIn(body)['externalId']);

/** The provider accepted the message: another attempt could send it twice. */
const namelessAnswer = (provider: string, member: string): SendResult => ({
  result: 'unknown',
  errorCode: 'invalid_answer',
  errorMessage: `${provider} accepted the message but returned no ${member} of 1 to ${ID_MAX} characters`,
});

/** Returns a provider's id of a message if the value can be stored and indexed as one. */
const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\u0020-\u07ff]+$/.test(value) && value.length <= ID_MAX
    ? value
    : undefined;

/** Returns the JSON object of a response; an empty object for anything else. */
export function objectIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
