import { Type } from 'typebox';
import type { View } from '../work.ts';
import type {
  AdmittedCall,
  Cost,
  AnySchemas,
  PartSchema,
  Route,
  RouteSchemas,
  ValueOf,
} from './route.ts';
import type { FindOwner } from './public-endpoint.ts';
import type { PublicLimit } from '../rate-limit.ts';

/** One server-sent event. */
export interface StreamEvent {
  /** Sent back by the reader as `Last-Event-ID` when it reconnects. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** What a stream gets beside its call. */
export interface StreamContext {
  readonly view: View;
  /** The last event that a reconnecting reader received. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

interface Stream<P, Q> extends Route {
  readonly limit?: PublicLimit;
  readonly cost?: Cost<P, Q>;
  readonly owner: FindOwner<P, Q, undefined>;
  /** Yields events until the signal aborts, or the reader disconnects. */
  readonly stream: (
    call: AdmittedCall<P, Q, undefined> & StreamContext,
  ) => AsyncIterable<StreamEvent>;
}

/** A public endpoint that returns server-sent events. */
export type StreamEndpoint = { readonly kind: 'stream'; readonly method: 'GET' } & AnySchemas &
  Stream<any, any>;

type StreamSchemas<P, Q> = Pick<RouteSchemas<P, Q, undefined, never>, 'params' | 'query'>;

/** Declares a public GET that returns server-sent events. */
export const defineStreamEndpoint = <
  P extends PartSchema = undefined,
  Q extends PartSchema = undefined,
>(
  options: StreamSchemas<P, Q> & Stream<ValueOf<P>, ValueOf<Q>>,
): StreamEndpoint =>
  ({
    kind: 'stream',
    method: 'GET',
    data: Type.Null(),
    documents: ['text/event-stream'],
    ...options,
  }) as StreamEndpoint;
