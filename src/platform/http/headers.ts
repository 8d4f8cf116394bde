import type { Spent } from '#core/rate-limiter.ts';

export type Headers = Record<string, string>;

const BASE: Readonly<Headers> = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-api-version': 'v1',
  'x-content-type-options': 'nosniff',
};

/** The headers of every answer. */
export const baseHeaders = (requestId: string): Headers => ({ ...BASE, 'x-request-id': requestId });

/** `X-RateLimit-Reset` is in epoch seconds (spec "Rate limiting"). */
export function setRateHeaders(
  headers: Headers,
  limit: number,
  { remaining, resetsAt }: Spent,
): void {
  headers['x-ratelimit-limit'] = String(limit);
  headers['x-ratelimit-remaining'] = String(remaining);
  headers['x-ratelimit-reset'] = String(Math.ceil(resetsAt / 1_000));
}
