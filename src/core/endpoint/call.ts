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
  /** The granted part of the call's `cost`: at least 1; less than the cost if the window has less left. */
  readonly granted: number;
  /** The public address of the server, for links in responses. */
  readonly baseUrl: string;
}

/**
 * What `prepare` gets before the transaction of a write begins. It may use the network, and stores
 * its results by changes of its own.
 */
export interface PrepareContext {
  readonly view: View;
  readonly tools: Tools;
  readonly change: (change: (work: Work) => Promise<void>) => Promise<unknown>;
}

/** Fetches what a write needs from outside the database; runs after the checks of the call. */
export type Prepare<P, Q, B> = (call: Call<P, Q, B> & PrepareContext) => Promise<void>;

/** Returns how many requests a call counts as; without it, 1. */
export type Cost<P, Q> = (query: Q, call: { readonly params: P; readonly now: Date }) => number;
