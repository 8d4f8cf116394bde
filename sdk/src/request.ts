import type { ApiCall, Method } from './api.ts';
import { queryText } from './query-text.ts';
import { requireToken, type Settings } from './settings.ts';

export interface Call extends ApiCall {
  readonly method: Method;
  readonly path: string;
}

/** A call as it goes over the wire, the same at each try. */
export interface PreparedRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Doing it twice is like doing it once. */
  readonly isRepeatable: boolean;
}

/** A POST may be repeated under its `Idempotency-Key`, where it takes one; all others always. */
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
      // The API never redirects; whoever does is somebody else, and is not sent the key.
      redirect: 'manual',
    },
    isRepeatable: !isChange || takesKey,
  };
}

function idempotencyKey(given = newKey()): string {
  requireToken('idempotencyKey', given);
  return given;
}

/** 128 random bits. (`crypto.randomUUID` is not there on pages without TLS.) */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
