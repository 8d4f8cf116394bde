const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads `500ms`, `15s`, `5m`, `24h` or `7d` as milliseconds; anything else is undefined. */
export function parseDuration(text: string): number | undefined {
  const match = /^([1-9]\d{0,8})(ms|[smhd])$/.exec(text);
  const [, count, unit] = match ?? [];
  return count && unit ? Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS] : undefined;
}
