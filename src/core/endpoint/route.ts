import type { Static, TObject, TSchema } from 'typebox';
import type { FaultCode } from '../fault.ts';
import type { Tools } from '../tools.ts';
import type { View, Work } from '../work.ts';

/** The declaration of a route of any kind, without its schemas. */
export interface Route {
  readonly id: string;
  /** h3 pattern: `/api/v1/contacts/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly status?: 200 | 201 | 202;
  /** Another success status, which some calls return. */
  readonly otherStatus?: 200 | 201;
  /** The data is the whole response, without an envelope. */
  readonly bare?: true;
  /** Faults beyond those that every route of its kind may return. */
  readonly faults?: readonly FaultCode[];
  /** ISO date; responses then carry `Deprecation` and `Sunset`. */
  readonly deprecated?: { readonly sunset: string };
  /** Content types of the documents that some calls return, or all calls if `data` is null. */
  readonly documents?: readonly string[];
  /** Further content types of bodies: a signed endpoint accepts JSON, a page plain forms. */
  readonly takes?: readonly string[];
}

/** The schemas of a route, from which the types of its handlers are derived. */
export interface RouteSchemas<P, Q, B, D> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly data: D;
  readonly meta?: TObject;
}

export type AnySchemas = RouteSchemas<TObject, TObject, TObject, TSchema>;

/** The optional schema of one part of a call. */
export type PartSchema = TObject | undefined;

/** The value that a schema describes; undefined without a schema. */
export type ValueOf<S> = S extends TSchema ? Static<S> : undefined;

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
  /** The public address of the server, without a slash at its end, for links in responses. */
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

/** Forbids members that only other kinds of a declaration have. */
export type Without<K extends string> = { readonly [key in K]?: never };
