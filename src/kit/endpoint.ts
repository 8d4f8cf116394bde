import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { Fault, FaultCode } from './fault.ts';
import type { Json } from './json.ts';
import { oneOf } from './schema.ts';
import type { Scope } from './scope.ts';
import type { Tools } from './tools.ts';
import type { View, Work } from './work.ts';

/** What a key must carry: the scope, or that it is an agency's. */
export type KeyAccess =
  | { readonly kind: 'key'; readonly scope: Scope }
  | { readonly kind: 'agency' };

/** Who may call: the holder of a key, or whoever the endpoint itself finds proven (`prove`). */
type Access = KeyAccess | { readonly kind: 'signed' };

/** The key that called. `subAccountId` is AGENCY where an agency endpoint needs none. */
export interface Caller {
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly sandbox: boolean;
  readonly subAccountId: string;
}

interface Given<P, Q, B> {
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly tools: Tools;
  /** Of a list or feed: the place after which the page begins, from the caller's cursor. */
  readonly after: string | undefined;
}

/** A call without a key, as it came in: to be proven before anything else is made of it. */
export interface SignedCall<P> {
  readonly params: P;
  readonly view: View;
  readonly tools: Tools;
  readonly header: (name: string) => string | undefined;
  /** The body as it was sent, up to 25 MiB: asked for once, when it is known whose it would be. */
  readonly bytes: () => Promise<Buffer>;
}

export interface Proven<B> {
  /** Who calls, as the audit trail names him: `provider/channel`. */
  readonly by: string;
  /** What he tells, checked against the endpoint's `body`. */
  readonly body: B;
}

export interface Reply {
  readonly status?: 200 | 201;
  /** A value, PostgreSQL's JSON, or how to read it once the change is written. */
  readonly data: unknown;
  readonly meta?: object;
  /** Of a list: the place where the next page begins, null on the last one; a feed always has one. */
  readonly next?: string | null;
  /** Of a feed: whether more is there already. In a list that is so where there is a next page. */
  readonly more?: boolean;
}

export type Answer = (view: View) => Promise<Json | undefined>;

/** Everything there is to know about a route: routing, checks, types, OpenAPI, docs and tests derive from it. */
export interface Endpoint<P = any, Q = any, B = any> {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** h3 pattern: `/api/v1/contacts/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Which of a key's rates a call counts against; where no key is asked for there is none. */
  readonly rate?: 'read' | 'write';
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The body may be left out and counts as `{}` then. */
  readonly bodyOptional?: true;
  readonly data: TSchema;
  readonly meta?: TObject;
  readonly status?: 200 | 201;
  /** Takes `pageQuery` or, as a feed, `feedQuery`; cursors are sealed and opened for it. */
  readonly paged?: true | 'feed';
  /**
   * Throws NOT_FOUND where the path names nothing. Asked only before a query or body is refused: an
   * unknown id is said first (contract 4).
   */
  readonly subject?: (view: View, params: P) => Promise<unknown>;
  /**
   * Why what fits the schemas is refused all the same, as the world beyond the database has it.
   * Asked before a write's transaction begins: it may use the network.
   */
  readonly objection?: (
    call: Pick<Given<P, Q, B>, 'params' | 'query' | 'body' | 'tools'>,
  ) => Promise<Fault | undefined>;
  /** Refusals beyond those that every route of its kind may give. */
  readonly faults?: readonly FaultCode[];
  /** ISO dates; the answers then carry `Deprecation` and `Sunset`. */
  readonly deprecated?: { readonly sunset: string };
  readonly read?: (call: Given<P, Q, B> & { readonly view: View }) => Promise<Reply>;
  readonly write?: (call: Given<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
  /**
   * Of a signed endpoint, whose path names the sub-account: throws NOT_FOUND where nobody may call,
   * UNAUTHORIZED where the bytes are not his. Nothing is stored before.
   */
  readonly prove?: (call: SignedCall<P>) => Promise<Proven<B>>;
  /** Takes in what was proven. */
  readonly receive?: (call: {
    readonly params: P;
    readonly body: B;
    readonly work: Work;
  }) => Promise<Reply>;
}

type Of<S> = S extends TSchema ? Static<S> : undefined;

type Declared<P, Q, B, D> = Omit<
  Endpoint<Of<P>, Of<Q>, Of<B>>,
  'params' | 'query' | 'body' | 'data'
> & {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly data: D;
};

/**
 * Declares a route; `read` gets a View, `write` a Work, and one of them must be there: of a signed
 * one `prove` and `receive`.
 */
export function defineEndpoint<
  const D extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(endpoint: Declared<P, Q, B, D>): Endpoint {
  return endpoint as Endpoint;
}

export const scope = (name: Scope): KeyAccess => ({ kind: 'key', scope: name });

const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT }));
const CURSOR = { minLength: 1, maxLength: 1_000 };

/** What every paged list takes. */
export const pageQuery = { limit, cursor: Type.Optional(Type.String(CURSOR)) };

/** What every feed takes: oldest first, without an end, each cursor good for as long as it is kept. */
export const feedQuery = {
  limit,
  after: Type.Optional(
    Type.String({ ...CURSOR, description: 'the cursor of the page before; it never expires' }),
  ),
  start: Type.Optional(
    oneOf(['oldest', 'latest'], {
      default: 'oldest',
      description: 'where to begin, on the first page only',
    }),
  ),
};

export const pageSize = ({ limit }: { readonly limit?: number }): number => limit ?? PAGE_DEFAULT;
