/**
 * Returns the wait that a response asks for, in milliseconds: `Retry-After` in seconds or as a
 * date, otherwise the end of a used-up rate window. Dates are compared with the server's clock,
 * which may differ from ours.
 */
export function retryAfterMs(headers: Headers, status: number, now: number): number | undefined {
  const retryAfter = headers.get('retry-after');
  const date = Date.parse(headers.get('date') ?? '');
  const serverNow = Number.isNaN(date) ? now : date;
  if (retryAfter !== null && /^\d{1,9}$/.test(retryAfter)) {
    return Number(retryAfter) * 1_000;
  }
  const until = retryAfter === null ? windowEnd(headers, status) : Date.parse(retryAfter);
  return until === undefined || Number.isNaN(until) ? undefined : Math.max(0, until - serverNow);
}

function windowEnd(headers: Headers, status: number): number | undefined {
  const reset = headers.get('x-ratelimit-reset');
  return status === 429 && reset !== null ? Number(reset) * 1_000 : undefined;
}
