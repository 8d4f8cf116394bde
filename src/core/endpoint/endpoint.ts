import type { Static, TObject, TSchema } from 'typebox';
import type { Beforehand } from './prepare-context.ts';
import type { Access, KeyAccess, PublicAccess } from './access.ts';
import type { Fault, FaultCode } from '../fault.ts';
import type { Json } from '../schema/json.ts';
import { oneOf } from '../schema/schema.ts';
import type { PublicLimit } from './public-limit.ts';
import type { Scope } from '../scope.ts';
import type { StreamEvent } from './stream.ts';
import type { Tools } from '../tools.ts';
import { Type } from '../schema/type.ts';
import type { View, Work } from '../work.ts';

/** The key that called. `subAccountId` is AGENCY where an agency endpoint needs none. */
export interface Caller {
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly sandbox: boolean;
  readonly subAccountId: string;
  /** What the call was granted of its `cost`: at least 1, and all of it unless the key has less left. */
  readonly granted: number;
}

interface CallInput<P, Q, B> {
  /** Of a visitor, who brings no key, there is none. */
  readonly caller: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly tools: Tools;
  /** Of a public endpoint: how much of its `cost` was granted, at least 1. */
  readonly granted: number;
  /** The public address, for what visitors are told. */
  readonly baseUrl: string;
  /** Of a list or feed: the place after which the page begins, from the caller's cursor. */
  readonly after: string | undefined;
}

/** A call without a key, as it came in: to be proven before anything else is made of it. */
export interface SignedCall<P> {
  readonly params: P;
  readonly view: View;
  readonly tools: Tools;
  readonly header: (name: string) => string | undefined;
  /** What was called, as the outside world writes it: what some providers sign. */
  readonly url: string;
  /** Reads the body, at most `limitBytes` (1 MiB unless given). Check the signature header before. */
  readonly bytes: (limitBytes?: number) => Promise<Buffer>;
}

export interface Verified<T> {
  /** The caller as the audit trail names it: `provider/channel`. */
  readonly by: string;
  /** The sub-account that is called, where the path does not name it. */
  readonly subAccountId?: string;
  /** What he tells, checked. */
  readonly payload: T;
  /** What he tells besides: taken in piece by piece, each when the one before it is committed. */
  readonly more?: readonly T[];
}

/** What is sent as it is, without an envelope: a page, a script, a calendar. */
export interface Document {
  /** The content type. */
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What people open in a browser, rather than call: forms are what it is sent. */
interface PageTraits<P = any, Q = any, B = any> {
  /** How a refusal looks, whatever was refused, in the language that the browser asks for first. */
  readonly error: (fault: Fault, locale: string) => Document;
  /**
   * What is shown in place of a refusal to somebody who filled in a form; throws what it has no
   * words for. Nothing was written.
   */
  readonly refused?: (
    fault: Fault,
    call: CallInput<P, Q, B> & { readonly view: View },
  ) => Promise<Reply>;
}

export interface Reply {
  /** 303 is a page's answer to a form, 400 a form that is shown again. */
  readonly status?: 200 | 201 | 302 | 303 | 400;
  /** A value, PostgreSQL's JSON, or how to read it once the change is written. */
  readonly data: unknown;
  readonly document?: Document;
  /** Answered in place of the data; what the change did besides, such as telling somebody, stays done. */
  readonly refusal?: Fault;
  readonly meta?: object;
  /** Of a list: the place where the next page begins, null on the last one; a feed always has one. */
  readonly next?: string | null;
  /** Of a feed: whether more is there already. In a list that is so where there is a next page. */
  readonly more?: boolean;
}

export type Answer = (view: View) => Promise<Json | undefined>;

/** Everything there is to know about a route: routing, checks, types, OpenAPI, docs and tests derive from it. */
export interface Endpoint<P = any, Q = any, B = any, T = any> {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** h3 pattern: `/api/v1/contacts/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** Which of a key's rates a call counts against; where no key is asked for there is none. */
  readonly rate?: 'read' | 'write';
  /** How much of its limit a call uses, 1 unless given; `granted` is the part that was left. */
  readonly cost?: (query: Q, call: { readonly params: P; readonly now: Date }) => number;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The body may be left out and counts as `{}` then. */
  readonly bodyOptional?: true;
  readonly data: TSchema;
  readonly meta?: TObject;
  readonly status?: 200 | 201;
  /** Another success status, which some calls return. */
  readonly otherStatus?: 200 | 201;
  /** Members of the data that are shown once: a replay of the response leaves them out. */
  readonly shownOnce?: readonly string[];
  /** The data is the whole answer, without an envelope. */
  readonly bare?: true;
  /** Takes `pageQuery` or, as a feed, `feedQuery`; cursors are sealed and opened for it. */
  readonly paged?: true | 'feed';
  /**
   * Throws NOT_FOUND where the path names nothing. Asked only before a query or body is refused: an
   * unknown id is said first (contract 4).
   */
  readonly assertExists?: (view: View, params: P) => Promise<unknown>;
  /**
   * Why what fits the schemas is refused all the same, as the world beyond the database has it.
   * Asked before a write's transaction begins: it may use the network.
   */
  readonly precheck?: (
    call: Pick<CallInput<P, Q, B>, 'params' | 'query' | 'body' | 'tools'>,
  ) => Promise<Fault | undefined>;
  /** Makes ready what a write relies on beyond the database, once it is checked. */
  readonly prepare?: (
    call: Pick<CallInput<P, Q, B>, 'params' | 'query' | 'body'> & Beforehand,
  ) => Promise<void>;
  /** Refusals beyond those that every route of its kind may give. */
  readonly faults?: readonly FaultCode[];
  /** ISO dates; the answers then carry `Deprecation` and `Sunset`. */
  readonly deprecated?: { readonly sunset: string };
  readonly read?: (call: CallInput<P, Q, B> & { readonly view: View }) => Promise<Reply>;
  readonly write?: (call: CallInput<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
  /**
   * Of a signed endpoint, whose path names the sub-account: throws NOT_FOUND where nobody may call,
   * UNAUTHORIZED where the bytes are not his. Nothing is stored before.
   */
  readonly verify?: (call: SignedCall<P>) => Promise<Verified<T>>;
  /**
   * Returns the sub-account that a public call is for; throws NOT_FOUND. A page has no body yet.
   */
  readonly owner?: (
    call: Pick<CallInput<P, Q, B>, 'params' | 'query' | 'body' | 'tools'> & { readonly view: View },
  ) => Promise<string>;
  /**
   * Of a public endpoint that writes: in whose name it is called, by a secret of his. An
   * `Idempotency-Key` that he sends with it is his alone, and makes a repeat of the call none.
   */
  readonly idempotencyOwner?: (call: Pick<CallInput<P, Q, B>, 'body'>) => string;
  /** Of a public endpoint in place of `read`: server-sent events until the signal, or the caller goes. */
  readonly stream?: (
    call: CallInput<P, Q, B> & {
      readonly view: View;
      /** What the reader had last, where he comes again. */
      readonly lastEventId: string | undefined;
      readonly signal: AbortSignal;
    },
  ) => AsyncIterable<StreamEvent>;
  /** Takes in what was proven. */
  readonly receive?: (call: {
    readonly params: P;
    readonly payload: T;
    readonly work: Work;
  }) => Promise<Reply>;
  /** Types of bodies that it takes: of a signed endpoint besides JSON, of a page besides plain forms. */
  readonly takes?: readonly string[];
  /**
   * Of a public endpoint that is a page: its body is what a form sends, and what it does not know of
   * a query is passed over, for others append theirs to links.
   */
  readonly page?: PageTraits<P, Q, B>;
  /** Types of the documents that some calls are answered with; where `data` is null, all of them. */
  readonly documents?: readonly string[];
}

type Of<S> = S extends TSchema ? Static<S> : undefined;

type Declared<P, Q, B, D, T> = Omit<
  Endpoint<Of<P>, Of<Q>, Of<B>, T>,
  'params' | 'query' | 'body' | 'data'
> & {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly data: D;
};

/**
 * Declares a route; `read` gets a View, `write` a Work, and one of them must be there: of a signed
 * one `prove` and `receive`, of a public one `owner` besides.
 */
export function defineEndpoint<
  const D extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
  T = undefined,
>(endpoint: Declared<P, Q, B, D, T>): Endpoint {
  return endpoint as Endpoint;
}

export const scope = (name: Scope): KeyAccess => ({ kind: 'key', scope: name });

export const anybody = (limit?: PublicLimit): PublicAccess => ({
  kind: 'public',
  ...(limit && { limit }),
});

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
