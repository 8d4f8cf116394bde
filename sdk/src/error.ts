import type { ApiErrorCode } from './generated/error-code.ts';

/** What the client itself has to say, where no answer says it. */
type OwnErrorCode =
  /** No answer came: refused, cut off, or a name that leads nowhere; `cause` says which. */
  | 'CONNECTION_FAILED'
  /** No whole answer came in `timeoutMs`. */
  | 'TIMEOUT'
  /** Something that is not Frontdesk answered: a proxy's error page, a redirect. */
  | 'UNREADABLE_ANSWER'
  /** Of a webhook: not signed with any of the secrets. */
  | 'INVALID_SIGNATURE'
  /** Of a webhook: signed longer ago, or later, than is tolerated. */
  | 'STALE_TIMESTAMP'
  /** Of a webhook: genuine, but no event. */
  | 'UNREADABLE_EVENT';

/** Later releases of the API may have more codes. */
export type ErrorCode = ApiErrorCode | OwnErrorCode | (string & {});

/** Where in a request something is wrong: `path` is a JSON pointer, `''` for the whole. */
export interface Issue {
  readonly in: 'body' | 'query' | 'path' | 'header';
  readonly path: string;
  readonly message: string;
}

interface ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly requestId?: string | undefined;
  readonly tries?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Whatever goes wrong, except that a call which its signal ends rejects with the signal's reason. */
export class FrontdeskError extends Error {
  override readonly name = 'FrontdeskError';
  /** What to decide by; the message is for people. */
  readonly code: ErrorCode;
  /** Of the answer; undefined where there was none. */
  readonly status: number | undefined;
  /** What else the refusal says, such as `reason`. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Of a VALIDATION_ERROR: all that is wrong with the request. Else empty. */
  readonly issues: readonly Issue[];
  /** Names the request in Frontdesk's logs and audit trail. */
  readonly requestId: string | undefined;
  /** How often the call was tried. After more than once, a NOT_FOUND may be an earlier try's deed. */
  readonly tries: number;
  /** How long the answer asks to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor({
    code,
    message,
    status,
    details,
    requestId,
    tries,
    retryAfterMs,
    cause,
  }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.issues = issuesIn(details);
    this.requestId = requestId;
    this.tries = tries ?? 0;
    this.retryAfterMs = retryAfterMs;
  }
}

const issuesIn = (details: ErrorDetails['details']): readonly Issue[] => {
  const issues = details?.['issues'];
  return Array.isArray(issues) ? (issues as Issue[]) : [];
};
