import type { Tools } from '../tools.ts';
import type { View, Work } from '../work.ts';

/** The checked parts of a call. */
export interface Call<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly tools: Tools;
}

/** A call that was counted against a rate or limit. */
export interface AdmittedCall<P, Q, B> extends Call<P, Q, B> {
  /** How much of the call's `cost` was granted: at least 1, and less than the cost where less is left. */
  readonly granted: number;
  /** The public address of the server, for links in responses. */
  readonly baseUrl: string;
}

/**
 * What a write is prepared with before its transaction begins: `prepare` may use the network and
 * stores what it learns by changes of its own.
 */
export interface PrepareContext {
  readonly view: View;
  readonly tools: Tools;
  readonly change: (change: (work: Work) => Promise<void>) => Promise<unknown>;
}

/** Prepares what a write relies on beyond the database, once the call is checked. */
export type Prepare<P, Q, B> = (call: Call<P, Q, B> & PrepareContext) => Promise<void>;

/** How many requests a call counts for; 1 by default. */
export type Cost<P, Q> = (query: Q, call: { readonly params: P; readonly now: Date }) => number;
