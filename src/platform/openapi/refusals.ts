import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { FAULTS, type FaultCode } from '#core/fault.ts';
import { faultExamples } from './examples.ts';
import { headersOf, isKeyed, isRepeatable } from './headers.ts';

interface Refusal {
  readonly status: number;
  /** The same for answers that are alike: they stand in the document once. */
  readonly name: string;
  readonly response: object;
}

/** Every refusal of an endpoint, one of a status. */
export const refusalsOf = (endpoint: Endpoint): readonly Refusal[] =>
  [...Map.groupBy(faultsOf(endpoint), (code) => FAULTS[code])].map(([status, codes]) => {
    const headers = headersOf(endpoint, status);
    const kinds = [
      'X-RateLimit-Limit' in headers && 'counted',
      'Idempotent-Replayed' in headers && 'repeatable',
    ];
    return {
      status,
      name: [codes.join('.'), ...kinds.filter(Boolean)].join('-'),
      response: {
        description: codes.join(', '),
        headers,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: faultExamples(codes),
          },
        },
      },
    };
  });

/** What any call past routing may be refused with, and what its parts add. */
function faultsOf(endpoint: Endpoint): Set<FaultCode> {
  const { kind, body, method, faults = [] } = endpoint;
  return new Set<FaultCode>([
    ...ANY_CALL,
    ...(kind === 'keyed' || kind === 'signed' ? (['UNAUTHORIZED'] as const) : []),
    ...(isKeyed(endpoint) ? ANY_KEY : []),
    ...(!isKeyed(endpoint) && endpoint.limit !== undefined ? (['RATE_LIMITED'] as const) : []),
    ...(isKeyed(endpoint) && endpoint.access.kind === 'agency' ? [] : (['NOT_FOUND'] as const)),
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
