import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { SessionEndpoint } from '#core/endpoint/console-endpoint.ts';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { type FaultCode, FAULTS } from '#core/fault.ts';

interface Refusal {
  readonly status: number;
  readonly codes: readonly FaultCode[];
  /** Equal responses have equal names, so that the document contains them once. */
  readonly name: string;
  readonly response: object;
}

/** Returns the refusals of an endpoint, one per status. */
export const refusalsOf = (endpoint: Endpoint): readonly Refusal[] =>
  [...Map.groupBy(faultsOf(endpoint), (code) => FAULTS[code])].map(([status, codes]) => {
    const headers = headersOf(endpoint, status);
    const kinds = [
      'X-RateLimit-Limit' in headers && 'counted',
      'Idempotent-Replayed' in headers && 'repeatable',
    ];
    return {
      status,
      codes,
      name: [codes.join('.'), ...kinds.filter(Boolean)].join('-'),
      response: {
        description: codes.join(', '),
        headers,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ApiError' },
            examples: faultExamples(codes),
          },
        },
      },
    };
  });

/** Returns the codes with which an endpoint may refuse a call. */
function faultsOf(endpoint: Endpoint): Set<FaultCode> {
  const { kind, body, method, faults = [] } = endpoint;
  return new Set<FaultCode>([
    ...ANY_CALL,
    ...(kind === 'keyed' || kind === 'signed' ? (['UNAUTHORIZED'] as const) : []),
    ...(kind === 'keyed' ? ANY_KEY : []),
    ...(isBehindSession(endpoint) ? ANY_SESSION : []),
    ...(kind === 'console' ? (['FORBIDDEN'] as const) : []),
    ...(!isAdmitting(endpoint) && endpoint.limit !== undefined ? (['RATE_LIMITED'] as const) : []),
    ...(isOfNoSubAccount(endpoint) ? [] : (['NOT_FOUND'] as const)),
    ...(body || method !== 'GET' ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(isRepeatable(endpoint)
      ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'] as const)
      : []),
    ...faults,
  ]);
}

const ANY_CALL: readonly FaultCode[] = [
  'VALIDATION_ERROR',
  'REQUEST_TIMEOUT',
  'EXPECTATION_FAILED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const ANY_KEY: readonly FaultCode[] = ['KEY_EXPIRED', 'KEY_REVOKED', 'FORBIDDEN', 'RATE_LIMITED'];

const ANY_SESSION: readonly FaultCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'];

export const isKeyed = (endpoint: Endpoint): endpoint is KeyedEndpoint => endpoint.kind === 'keyed';

/** Returns whether a signed-in user calls the endpoint. */
export const isBehindSession = (endpoint: Endpoint): endpoint is SessionEndpoint =>
  endpoint.kind === 'console' && endpoint.access.kind !== 'visitor';

/** Returns whether a key or a session is needed, and counted. */
export const isAdmitting = (endpoint: Endpoint): endpoint is KeyedEndpoint | SessionEndpoint =>
  isKeyed(endpoint) || isBehindSession(endpoint);

/** Returns whether the call is about the installation, and has no id in its path that could be unknown. */
function isOfNoSubAccount(endpoint: Endpoint): boolean {
  const isOfAgency = isKeyed(endpoint) && endpoint.access.kind === 'agency';
  const kind = endpoint.kind === 'console' ? endpoint.access.kind : undefined;
  const isOfUser = kind === 'session' || kind === 'owner' || kind === 'visitor';
  return (isOfAgency || isOfUser) && endpoint.params === undefined;
}

/** Returns whether the endpoint accepts an Idempotency-Key. */
/** A dry run writes nothing, and an upload is read only once. */
const isUnrepeatable = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'console' && (endpoint.dryRun ?? endpoint.receive) !== undefined;

export const isRepeatable = (endpoint: Endpoint): boolean =>
  (isAdmitting(endpoint) && endpoint.method === 'POST' && !isUnrepeatable(endpoint)) ||
  (endpoint.kind === 'public' && endpoint.idempotencyOwner !== undefined);

/** Returns whether calls count against the rate of a key, or a limit of visitors. */
const isCounted = (endpoint: Endpoint): boolean =>
  isAdmitting(endpoint) || (endpoint.kind !== 'signed' && endpoint.limit !== undefined);

const header = (description: string, type: 'string' | 'integer') => ({
  description,
  schema: { type },
});

const ALWAYS = {
  'X-API-Version': header('always v1', 'string'),
  'X-Request-Id': header('identifies this request in logs and in the audit trail', 'string'),
};
const PAST_AUTHENTICATION = {
  'X-RateLimit-Limit': header('requests per window', 'integer'),
  'X-RateLimit-Remaining': header('requests left in this window', 'integer'),
  'X-RateLimit-Reset': header('when the window ends, in epoch seconds', 'integer'),
};
const COME_AGAIN = { 'Retry-After': header('seconds to wait', 'integer') };
const REPEATABLE = {
  'Idempotent-Replayed': header('`true` if a stored response is replayed', 'string'),
};

/** Every response header, by name. */
export const HEADERS = { ...ALWAYS, ...PAST_AUTHENTICATION, ...COME_AGAIN, ...REPEATABLE };

/** Sent before a request has reached its endpoint. */
const BEFORE_ROUTING: ReadonlySet<number> = new Set([408, 417, 431]);

export function headersOf(endpoint: Endpoint, status: number): object {
  const isRouted = !BEFORE_ROUTING.has(status);
  const isCountedHere = isRouted && isCounted(endpoint) && ![401, 503].includes(status);
  const carried = {
    ...ALWAYS,
    ...(isCountedHere && PAST_AUTHENTICATION),
    ...([429, 503].includes(status) && COME_AGAIN),
    ...(isRouted && isRepeatable(endpoint) && status < 429 && REPEATABLE),
  };
  return Object.fromEntries(
    Object.keys(carried).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const INVALID = {
  message: 'invalid body: email must be an email address',
  details: { issues: [{ in: 'body', path: '/email', message: 'must be an email address' }] },
};

/** An example message per code; clients rely on the code only. */
const MESSAGES: Readonly<Record<FaultCode, string>> = {
  VALIDATION_ERROR: INVALID.message,
  UNAUTHORIZED: 'send an API key: Authorization: Bearer <API_KEY>',
  KEY_EXPIRED: 'this API key has expired',
  KEY_REVOKED: 'this API key was revoked',
  FORBIDDEN: 'this key lacks the scope contacts:write',
  NOT_FOUND: 'contact not found',
  METHOD_NOT_ALLOWED: 'PUT is not allowed for this path; use GET or POST',
  REQUEST_TIMEOUT: 'the request took too long to arrive',
  IDEMPOTENCY_IN_PROGRESS:
    'the first request with this Idempotency-Key is still running; send the same request again in a second',
  ALREADY_DECIDED: 'this approval is denied already; the first decision counts',
  CHANGED_MEANWHILE: 'calendars/checkup was changed after it was read; read it again',
  PAYLOAD_TOO_LARGE: 'the body is larger than 1 MiB',
  IDEMPOTENCY_MISMATCH: 'this Idempotency-Key was used with another body or query; use a new one',
  UNSUPPORTED_MEDIA_TYPE: 'the body must be application/json',
  EXPECTATION_FAILED: 'the only expectation supported is 100-continue',
  HEADERS_TOO_LARGE: 'the headers are too large',
  RATE_LIMITED: 'too many requests; try again in 12 s',
  INTERNAL_ERROR: 'internal error; report the request id 0192f7c4-5b1e-7c3a-9d42-5a1f0c3e7b11',
  SERVICE_UNAVAILABLE: 'the database cannot be reached',
  layout_not_found:
    'layout_not_found: no template has the name "Newsleter"; use the name of a template: "Newsletter"',
  layout_invalid:
    'layout_invalid: the template "Newsletter" contains {{content}} 0 times, but must contain it exactly once',
  list_required: 'list_required: give a listId, or a layout that has a default list',
  invalid_status: 'invalid_status: a campaign that is sending cannot be sent',
  channel_unsupported: 'channel_unsupported: campaigns are sent by email only, not by sms',
  empty_audience: 'empty_audience: the list has no contact that may be mailed',
  feature_unavailable:
    'feature_unavailable: campaigns are not among the features of this sub-account',
};

/** An example error per code, to which responses refer. */
export const FAULT_EXAMPLES = Object.fromEntries(
  (Object.keys(FAULTS) as FaultCode[]).map((code) => [
    code,
    {
      value: {
        error: {
          code,
          message: MESSAGES[code],
          ...(code === 'VALIDATION_ERROR' && { details: INVALID.details }),
        },
      },
    },
  ]),
);

const faultExamples = (codes: readonly FaultCode[]): object =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
