import type { PublicLimit } from './public-limit.ts';
import type { Scope } from '../scope.ts';

/** What a key must carry: the scope, or that it is an agency's. */
export type KeyAccess =
  | { readonly kind: 'key'; readonly scope: Scope }
  | { readonly kind: 'agency' };

/** Anybody, from any page of the web; calls that count do so per IP address against the limit. */
export interface PublicAccess {
  readonly kind: 'public';
  readonly limit?: PublicLimit;
}

/** Who may call: the holder of a key, whoever the endpoint itself finds proven (`prove`), anybody. */
export type Access =
  | KeyAccess
  | { readonly kind: 'signed'; readonly limit?: PublicLimit }
  | PublicAccess;
