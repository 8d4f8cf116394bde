import type { TSchema } from 'typebox';
import type { Tools } from '../tools.ts';
import type { View, Work } from '../work.ts';
import type { PublicLimit } from '../rate-limit.ts';
import type { Reply } from './reply.ts';
import type {
  AnySchemas,
  PartSchema,
  PrepareContext,
  Route,
  RouteSchemas,
  ValueOf,
} from './route.ts';

/** A call without a key, before it is verified. */
export interface SignedCall<P> {
  readonly params: P;
  readonly view: View;
  readonly tools: Tools;
  readonly header: (name: string) => string | undefined;
  /** The URL as the caller sees it; some providers sign it. */
  readonly url: string;
  /** Reads the body, at most `limitBytes` (1 MiB by default). Check the signature header before. */
  readonly bytes: (limitBytes?: number) => Promise<Buffer>;
}

export interface Verified<T> {
  /** The caller as the audit trail names it: `provider/channel`. */
  readonly by: string;
  /** The called sub-account, if the path does not name it. */
  readonly subAccountId?: string;
  /** The checked content of the call. */
  readonly payload: T;
  /** Further payloads of the same call; each is received after the previous one is committed. */
  readonly more?: readonly T[];
}

/** A header with a signature or with what it covers, for the OpenAPI document. */
interface SignatureHeader {
  readonly name: string;
  readonly description: string;
  /** Every call needs it. By default, some callers send it. */
  readonly isRequired?: true;
}

interface Signed<P, T> extends Route {
  readonly method: 'GET' | 'POST';
  /** The headers that `verify` reads; the first is the one of the examples. */
  readonly signature?: readonly SignatureHeader[];
  /** Verified calls count against this limit, per path. */
  readonly limit?: PublicLimit;
  /**
   * Verifies the call, before anything is stored. Throws NOT_FOUND if the path names no receiver,
   * UNAUTHORIZED if the signature is missing or wrong.
   */
  readonly verify: (call: SignedCall<P>) => Promise<Verified<T>>;
  /** Completes a verified payload before the transaction begins, such as by storing its files. */
  readonly prepare?: (
    call: { readonly params: P; readonly payload: T } & PrepareContext,
  ) => Promise<T>;
  /** Stores a verified payload. */
  readonly receive: (call: {
    readonly params: P;
    readonly payload: T;
    readonly work: Work;
  }) => Promise<Reply>;
}

/** An endpoint that providers and other systems call; each call is verified by its signature. */
export type SignedEndpoint = { readonly kind: 'signed' } & AnySchemas & Signed<any, any>;

/** Declares an endpoint that is called with a signature instead of a key. */
export const defineSignedEndpoint = <
  const D extends TSchema,
  P extends PartSchema = undefined,
  Q extends PartSchema = undefined,
  B extends PartSchema = undefined,
  T = undefined,
>(
  options: RouteSchemas<P, Q, B, D> & Signed<ValueOf<P>, T>,
): SignedEndpoint => ({ kind: 'signed', ...options }) as SignedEndpoint;
