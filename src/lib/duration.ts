export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNIT_MS = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** Reads `500ms`, `15s`, `5m`, `24h` or `7d` as milliseconds; returns undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^([1-9]\d{0,8})(ms|[smhd])$/.exec(text);
  const [, count, unit] = match ?? [];
  return count && unit ? Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS] : undefined;
}
