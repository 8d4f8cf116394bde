import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';

export const isKeyed = (endpoint: Endpoint): endpoint is KeyedEndpoint => endpoint.kind === 'keyed';

/** A POST with a key may be sent again with the same Idempotency-Key. */
export const isRepeatable = (endpoint: Endpoint): boolean =>
  (isKeyed(endpoint) && endpoint.method === 'POST') ||
  (endpoint.kind === 'public' && endpoint.idempotencyOwner !== undefined);

/** Every call with a key counts against its rate, and what a visitor does against a limit. */
const isCounted = (endpoint: Endpoint): boolean =>
  isKeyed(endpoint) || (endpoint.kind !== 'signed' && endpoint.limit !== undefined);

const header = (description: string, type: 'string' | 'integer') => ({
  description,
  schema: { type },
});

const ALWAYS = {
  'X-API-Version': header('always v1', 'string'),
  'X-Request-Id': header('names this request in logs and in the audit trail', 'string'),
};
const PAST_AUTHENTICATION = {
  'X-RateLimit-Limit': header('requests per window', 'integer'),
  'X-RateLimit-Remaining': header('requests left in this window', 'integer'),
  'X-RateLimit-Reset': header('when the window ends, in epoch seconds', 'integer'),
};
const COME_AGAIN = { 'Retry-After': header('seconds to wait', 'integer') };
const REPEATABLE = { 'Idempotent-Replayed': header('true where a kept answer is given', 'string') };

/** Every header that an answer may carry, by its name. */
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
