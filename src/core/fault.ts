/** All error codes with their HTTP status (spec "Errors", contract 4). */
export const FAULTS = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  KEY_EXPIRED: 401,
  KEY_REVOKED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  IDEMPOTENCY_IN_PROGRESS: 409,
  ALREADY_DECIDED: 409,
  CHANGED_MEANWHILE: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  // Of campaigns (spec "Errors"), whose codes are words of their own.
  layout_not_found: 400,
  layout_invalid: 400,
  list_required: 400,
  invalid_status: 400,
  channel_unsupported: 400,
  empty_audience: 400,
  feature_unavailable: 403,
} as const;

export type FaultCode = keyof typeof FAULTS;

/** An error for the caller. Any other thrown error is a bug and becomes INTERNAL_ERROR. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly details: object | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: FaultCode,
    message: string,
    details?: object,
    headers: Readonly<Record<string, string>> = {},
  ) {
    // Without a stack: it is never shown, and collecting it costs more than most faults do.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return FAULTS[this.code];
  }
}

/** An issue of a request; `path` is a JSON pointer, `''` for the whole. */
export interface Issue {
  readonly in: 'body' | 'query' | 'path' | 'header';
  readonly path: string;
  readonly message: string;
}

/** Escapes a name for a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1');

export const notFound = (noun: string): Fault => new Fault('NOT_FOUND', `${noun} not found`);

/** Returns the record. Throws NOT_FOUND if there is none. */
export function orNotFound<R>(record: R | null | undefined, noun: string): R {
  if (!record) {
    throw notFound(noun);
  }
  return record;
}

/** A body can have as many issues as bytes; more than these are only counted. */
export const ISSUES_MAX = 50;

/**
 * 400 with `details.issues`; the message repeats the first one and counts the others, with those that were
 * not collected.
 */
export function invalid(found: readonly Issue[], details: object = {}, uncollected = 0): Fault {
  const issues = found.slice(0, ISSUES_MAX);
  const [first] = issues;
  const message = first
    ? `invalid ${first.in}: ${subjectOf(first)} ${first.message}`
    : 'invalid request';
  return new Fault('VALIDATION_ERROR', message + more(found.length - 1 + uncollected), {
    issues,
    ...details,
  });
}

const subjectOf = ({ in: part, path }: Issue): string => path.slice(1) || `the ${part}`;

const more = (issues: number): string =>
  issues > 0 ? ` (and ${issues} more ${issues === 1 ? 'issue' : 'issues'})` : '';

export const invalidField = (path: string, message: string, details?: object): Fault =>
  invalid([{ in: 'body', path, message }], details);

/** A wrong command line or environment: exit code 2. */
export class UsageFault extends Error {}
