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

/** Returns the rate as `parseRate` reads it, in the largest unit that divides its window. */
export function rateText({ limit, windowMs }: Rate): string {
  const unit = (['h', 'm'] as const).find((one) => windowMs % UNIT_MS[one] === 0) ?? 's';
  return `${limit}/${windowMs / UNIT_MS[unit]}${unit}`;
}

/** `granted` is at most the requested cost; `resetsAt` is in epoch milliseconds. */
export interface Spent {
  readonly granted: number;
  readonly remaining: number;
  readonly resetsAt: number;
}

/**
 * What happens while an external store is unreachable: count in this process alone (requests with a key
 * should be served), or refuse with SERVICE_UNAVAILABLE (public routes must stay limited without Redis).
 */
export type WhenStoreIsDown = 'count-here' | 'refuse';

/**
 * Consumes cost from buckets, in windows that begin with a bucket's first request. No window grants more
 * than its limit, across all processes that share the store; a cost above the rest gets the rest.
 * Rejects with the error of a failing database.
 */
export interface RateLimiter {
  /** The default of `whenStoreIsDown` is `count-here`. */
  consume(
    bucket: string,
    rate: Rate,
    cost: number,
    whenStoreIsDown?: WhenStoreIsDown,
  ): Promise<Spent>;
  /** Counts in this process alone, for calls that should need no database for it. */
  consumeHere(bucket: string, rate: Rate, cost: number): Spent;
  close(): Promise<void>;
}

/** A request to consume `cost` (an integer) from a bucket's window. */
export interface Consumption extends Rate {
  readonly bucket: string;
  readonly cost: number;
}

/**
 * Where windows are counted. `consumeMany` takes distinct buckets with costs up to their limits and
 * returns results in the same order; when it throws, some may have been consumed.
 */
export interface RateStore {
  consumeMany(consumptions: readonly Consumption[]): Promise<readonly Spent[]>;
  close(): Promise<void>;
}

/**
 * The limits of calls without a key, per IP address. `availability` counts the days that are shown;
 * `workflow` counts calls per endpoint, `sign_in` the attempts to sign in to the console,
 * `oauth` the requests of programs that connect with OAuth. `public_read`
 * counts reads that anyone may make, such as feeds and the OpenAPI document, in each process.
 * `unsubscribe` counts per link: mail providers unsubscribe many recipients from few addresses.
 */
export const PUBLIC_LIMITS = [
  'chat_session',
  'chat_message',
  'chat_activity',
  'chat_file',
  'form',
  'form_file',
  'booking',
  'workflow',
  'availability',
  'sign_in',
  'oauth',
  'public_read',
  'captcha',
  'unsubscribe',
] as const;

export type PublicLimit = (typeof PUBLIC_LIMITS)[number];

export type PublicRates = Readonly<Record<PublicLimit, Rate>>;

export const PUBLIC_DEFAULT =
  'chat_session=10/1h,chat_message=30/1m,chat_activity=120/1m,chat_file=20/10m,form=10/1m,form_file=20/10m,booking=20/1m,workflow=120/1m,availability=600/1m,sign_in=60/1h,oauth=120/1m,public_read=1200/1m,captcha=120/1m,unsubscribe=20/1m';

/** Parses `name=N/1m,…`; missing limits have their default. Returns undefined for anything else. */
export function readPublicRates(text: string): PublicRates | undefined {
  const rates = `${PUBLIC_DEFAULT},${text}`.split(',').map((one) => {
    const [name = '', rate = '', ...rest] = one.trim().split('=');
    const isKnown = rest.length === 0 && PUBLIC_LIMITS.some((limit) => limit === name);
    return [name, isKnown ? parseRate(rate) : undefined] as const;
  });
  return rates.every(([, rate]) => rate) ? (Object.fromEntries(rates) as PublicRates) : undefined;
}
