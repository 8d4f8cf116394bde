import { Type } from 'typebox';
import type { Fault } from '../fault.ts';
import type { Tools } from '../tools.ts';
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
import type { FindOwner } from './public-endpoint.ts';
import type { PublicLimit } from '../rate-limit.ts';
import type { Document, Reply } from './reply.ts';

interface PageRoute<P, Q> extends Route {
  /** Calls count against this limit, per IP address; without it they are not counted. */
  readonly limit?: PublicLimit;
  /** Returns what calls are counted by instead of the IP address. Throws if the call is not valid. */
  readonly countedBy?: (call: { readonly params: P; readonly tools: Tools }) => string;
  readonly cost?: Cost<P, Q>;
  /** Returns the sub-account from the path or query: the body is not read yet. */
  readonly owner?: FindOwner<P, Q, undefined>;
  /**
   * Returns the error page of a fault, in the browser's preferred language; without it faults are JSON.
   * `view` is of the sub-account that the path names. It never rejects.
   */
  readonly error?: (
    fault: Fault,
    locale: string,
    view: View | undefined,
  ) => Document | Promise<Document>;
}

interface PageRead<P, Q> extends PageRoute<P, Q> {
  readonly method: 'GET';
  readonly read: (call: AdmittedCall<P, Q, undefined> & { readonly view: View }) => Promise<Reply>;
  readonly write?: never;
  readonly prepare?: never;
  readonly files?: never;
  readonly refused?: never;
}

interface PageWrite<P, Q, B> extends PageRoute<P, Q> {
  readonly method: 'POST';
  readonly prepare?: Prepare<P, Q, B>;
  /** For forms with files: how many bytes a body may have (otherwise 1 MiB), and what those count against. */
  readonly files?: {
    readonly limit: PublicLimit;
    readonly maxBytes: (call: Call<P, Q, undefined> & { readonly view: View }) => Promise<number>;
  };
  readonly write: (call: AdmittedCall<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
  /**
   * Returns the submitted form with the fault; throws faults that the form cannot show. Nothing was
   * written.
   */
  readonly refused?: (
    fault: Fault,
    call: AdmittedCall<P, Q, B> & { readonly view: View },
  ) => Promise<Reply>;
  readonly read?: never;
}

type Page<P, Q, B> = PageRead<P, Q> | PageWrite<P, Q, B>;

/**
 * A page or file that browsers load, outside the API. Its body is a submitted form. Unknown query
 * parameters are ignored: other systems append their own to links.
 */
export type PageEndpoint = { readonly kind: 'page' } & AnySchemas & Page<any, any, any>;

type PageSchemas<P, Q, B> = Omit<RouteSchemas<P, Q, B, never>, 'data' | 'meta'>;

/** Declares a page, or a file that pages load. */
export const definePageEndpoint = <
  P extends PartSchema = undefined,
  Q extends PartSchema = undefined,
  B extends PartSchema = undefined,
>(
  options: PageSchemas<P, Q, B> & Page<ValueOf<P>, ValueOf<Q>, ValueOf<B>>,
): PageEndpoint => ({ kind: 'page', data: Type.Null(), ...options }) as PageEndpoint;
