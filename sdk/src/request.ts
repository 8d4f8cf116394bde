import type { ApiCall, Method } from './api.ts';
import { requireToken, type Settings } from './settings.ts';

export interface Call extends ApiCall {
  readonly method: Method;
  readonly path: string;
}

/** A request, the same at each attempt. */
export interface PreparedRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Whether repeating it is safe. */
  readonly isRepeatable: boolean;
}

/** A POST is repeatable with its `Idempotency-Key`, if it takes one; other methods always are. */
export function requestOf({ baseUrl, credentials }: Settings, call: Call): PreparedRequest {
  const { method, path, query, body, options, isLookup = false, isRepeatable = false } = call;
  const isChange = method === 'POST' && (!isLookup || options?.idempotencyKey !== undefined);
  const takesKey = isChange && (credentials !== undefined || isRepeatable);
  return {
    url: baseUrl + path + queryText(query),
    init: {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(credentials && { authorization: `Bearer ${credentials.apiKey}` }),
        ...(credentials?.subAccountId && { 'x-sub-account-id': credentials.subAccountId }),
        ...(takesKey && { 'idempotency-key': idempotencyKey(options?.idempotencyKey) }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // The API never redirects: a redirect comes from another server, which must not get the key.
      redirect: 'manual',
    },
    isRepeatable: !isChange || takesKey,
  };
}

function idempotencyKey(given = newKey()): string {
  requireToken('idempotencyKey', given);
  return given;
}

/** 128 random bits. (`crypto.randomUUID` does not exist on pages without TLS.) */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

type Value = string | number | boolean | readonly string[] | undefined;

/** Returns `?a=1&tags=a%2Cb` without undefined values; empty if there are none. */
function queryText(query: object = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query as Readonly<Record<string, Value>>)) {
    if (value !== undefined) {
      given.set(name, String(value));
    }
  }
  return given.size === 0 ? '' : `?${given.toString()}`;
}
