import type { TSchema } from 'typebox';
import type { View, Work } from '../work.ts';
import type {
  AdmittedCall,
  Call,
  Cost,
  Prepare,
  AnySchemas,
  PartSchema,
  Route,
  RouteSchemas,
  ValueOf,
} from './route.ts';
import type { PublicLimit } from '../rate-limit.ts';
import type { Reply } from './reply.ts';

/** Returns the sub-account that a visitor calls. Throws NOT_FOUND. */
export type FindOwner<P, Q, B> = (call: Call<P, Q, B> & { readonly view: View }) => Promise<string>;

interface PublicRoute<P, Q, B> extends Route {
  /** Calls count against this limit, per IP address; without it they are not counted. */
  readonly limit?: PublicLimit;
  readonly cost?: Cost<P, Q>;
  readonly owner: FindOwner<P, Q, B>;
}

interface PublicRead<P, Q, B> extends PublicRoute<P, Q, B> {
  readonly method: 'GET';
  readonly read: (call: AdmittedCall<P, Q, B> & { readonly view: View }) => Promise<Reply>;
  readonly write?: never;
  readonly prepare?: never;
  readonly idempotencyOwner?: never;
  readonly shownOnce?: never;
}

interface PublicWrite<P, Q, B> extends PublicRoute<P, Q, B> {
  readonly method: 'POST';
  readonly prepare?: Prepare<P, Q, B>;
  readonly write: (call: AdmittedCall<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
  /**
   * Returns a secret of the visitor, or what only a repeat has: an `Idempotency-Key` is valid for its owner
   * only. Without this member the header is ignored.
   */
  readonly idempotencyOwner?: (call: Pick<Call<P, Q, B>, 'body'>) => string;
  /** Members of the data that are shown once: replays of the response omit them. */
  readonly shownOnce?: readonly string[];
  readonly read?: never;
}

type Public<P, Q, B> = PublicRead<P, Q, B> | PublicWrite<P, Q, B>;

/** An endpoint of the API that visitors of any website call, without a key. */
export type PublicEndpoint = { readonly kind: 'public' } & AnySchemas & Public<any, any, any>;

/** Declares an endpoint without a key, for scripts on any website. */
export const definePublicEndpoint = <
  const D extends TSchema,
  P extends PartSchema = undefined,
  Q extends PartSchema = undefined,
  B extends PartSchema = undefined,
>(
  options: RouteSchemas<P, Q, B, D> & Public<ValueOf<P>, ValueOf<Q>, ValueOf<B>>,
): PublicEndpoint => ({ kind: 'public', ...options }) as PublicEndpoint;
