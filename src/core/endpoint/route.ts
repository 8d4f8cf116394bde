import type { Static, TObject, TSchema } from 'typebox';
import type { FaultCode } from '../fault.ts';

/** The declaration of a route of any kind, without its schemas. */
export interface Route {
  readonly id: string;
  /** h3 pattern: `/api/v1/contacts/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly status?: 200 | 201;
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
