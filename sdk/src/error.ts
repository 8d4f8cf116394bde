import type { ApiErrorCode } from './generated/error-code.ts';

/** Codes of the client itself. */
type OwnErrorCode =
  /** No response: the connection was refused or lost, or the name is unknown; see `cause`. */
  | 'CONNECTION_FAILED'
  /** No complete response within `timeoutMs`. */
  | 'TIMEOUT'
  /** The response is not from Frontdesk: a proxy's error page, or a redirect. */
  | 'UNREADABLE_ANSWER'
  /** A webhook that is not signed with any of the secrets. */
  | 'INVALID_SIGNATURE'
  /** A webhook whose time differs by more than the tolerance. */
  | 'STALE_TIMESTAMP'
  /** A webhook that is genuine, but not an event. */
  | 'UNREADABLE_EVENT';

/** Later releases of the API may add codes. */
export type ErrorCode = ApiErrorCode | OwnErrorCode | (string & {});

/** A problem in a request: `path` is a JSON pointer, `''` for the whole. */
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

/** Every failure of a call, except that an aborted call rejects with the signal's reason. */
export class FrontdeskError extends Error {
  override readonly name = 'FrontdeskError';
  /** Use this for decisions; the message is for people. */
  readonly code: ErrorCode;
  /** The status of the response; undefined without a response. */
  readonly status: number | undefined;
  /** Further details, such as `reason`. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Every problem of a VALIDATION_ERROR; otherwise empty. */
  readonly issues: readonly Issue[];
  /** The id of the request in Frontdesk's logs and audit trail. */
  readonly requestId: string | undefined;
  /** The number of attempts. Above 1, a NOT_FOUND may be caused by an earlier attempt. */
  readonly tries: number;
  /** The wait that the response asks for, in milliseconds. */
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
