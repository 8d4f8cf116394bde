/** A number of requests per window, which opens with the first of them. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses `600/1m`, `N/30s`, `N/1h`; returns undefined for anything else. */
export function parseRate(text: string): Rate | undefined {
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,4})([smh])$/.exec(text);
  const [, limit, count, unit] = match ?? [];
  if (!limit || !count || !unit) {
    return undefined;
  }
  return {
    limit: Number(limit),
    windowMs: Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS],
  };
}
