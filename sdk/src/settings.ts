import type { Patience, Runtime } from './options.ts';
import { pause } from './timers.ts';

const TIMEOUT_MS = 30_000;
/** Long enough to wait for the end of a one-minute rate window. */
const TOTAL_TIMEOUT_MS = 120_000;
const MAX_TRIES = 5;

/** The key; visitors have none. */
export interface Credentials {
  readonly apiKey: string;
  readonly subAccountId?: string | undefined;
}

/** A client's checked options with defaults. */
export interface Settings {
  readonly baseUrl: string;
  readonly credentials: Credentials | undefined;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxTries: number;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly now: () => number;
}

/** Throws a TypeError for options that cannot work. */
export function settingsOf(
  options: Patience & Runtime & { readonly baseUrl: string },
  credentials?: Credentials,
): Settings {
  const { fetch = globalThis.fetch, sleep = pause, random = Math.random, now = Date.now } = options;
  return {
    baseUrl: origin(options.baseUrl),
    credentials: credentials && checked(credentials),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    totalTimeoutMs: options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS,
    maxTries: options.maxTries ?? MAX_TRIES,
    // Called without a receiver, as browsers require.
    fetch: (...request) => fetch(...request),
    sleep,
    random,
    now,
  };
}

function origin(baseUrl: string): string {
  if (!/^https?:\/\/[^/?#]+(?:\/[^?#]*)?$/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError('baseUrl must be the http or https address of your Frontdesk');
  }
  return baseUrl.replace(/\/+$/, '');
}

function checked(credentials: Credentials): Credentials {
  const { apiKey, subAccountId } = credentials;
  requireToken('apiKey', apiKey);
  if (subAccountId !== undefined) {
    requireToken('subAccountId', subAccountId);
  }
  return credentials;
}

/** `fetch` rejects other characters in headers, but only when the first call is sent. */
export function requireToken(name: string, value: string): void {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new TypeError(`${name} is empty, or has characters other than visible ASCII`);
  }
}
