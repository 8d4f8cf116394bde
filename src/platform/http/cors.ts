import type { Answered } from './answer.ts';
import type { Headers } from './headers.ts';

const PREFLIGHT_SECONDS = '7200';

/**
 * Lets pages of any site call and read the answer, refusals included. Nothing here rests on a cookie,
 * so that such a page can do no more than any program. Of a preflight the answer is this alone.
 */
export function openToBrowsers(headers: Headers, methods: readonly string[] = []): Answered {
  headers['access-control-allow-origin'] = '*';
  headers['access-control-expose-headers'] = EXPOSED;
  if (methods.length > 0) {
    headers['access-control-allow-methods'] = methods.join(', ');
    headers['access-control-allow-headers'] = 'content-type, idempotency-key, last-event-id';
    headers['access-control-max-age'] = PREFLIGHT_SECONDS;
  }
  return { status: 204, text: '' };
}

const EXPOSED =
  'Idempotent-Replayed, Retry-After, X-API-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';
