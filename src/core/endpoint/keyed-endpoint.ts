import type { TSchema } from 'typebox';
import type { Risk } from '../agent.ts';
import type { Fault } from '../fault.ts';
import type { Rate } from '../rate-limit.ts';
import type { Scope } from '../scope.ts';
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
import type { Paging } from './paging.ts';
import type { Reply } from './reply.ts';

/** What an API key must have: the scope, that it belongs to an agency, or nothing in particular. */
export type KeyAccess =
  | { readonly kind: 'key'; readonly scope: Scope }
  | { readonly kind: 'agency' }
  | { readonly kind: 'any' };

export const scope = (name: Scope): KeyAccess => ({ kind: 'key', scope: name });

/**
 * The key that called; in the console, the user. `subAccountId` is AGENCY on an agency endpoint, and
 * where any key may call, for an agency key that names no sub-account.
 */
export interface Caller {
  /** The id of the key, or of the user: an `Idempotency-Key` is valid for one of them only. */
  readonly keyId: string;
  readonly keyPrefix: string | undefined;
  readonly sandbox: boolean;
  readonly subAccountId: string;
  /** The rates that its calls count against. */
  readonly rates: { readonly read: Rate; readonly write: Rate };
}

interface KeyedCall<P, Q, B> extends AdmittedCall<P, Q, B> {
  readonly caller: Caller;
}

/** How agents call an endpoint (contract 12). */
interface AgentUse {
  /** The tool that calls it; without one, it is an action of `run_action`. */
  readonly tool?: string;
  /** What the tool does and when to use it, written for a model. */
  readonly does?: string;
  /** By default `read` for reads, `destroys` for DELETE, otherwise `reversible`. */
  readonly risk?: Risk;
  /**
   * Returns numbers of what the call does, inside the transaction of a dry run. `call` has the members of
   * its path and of its response.
   */
  readonly effects?: (view: View, call: Readonly<Record<string, unknown>>) => Promise<Effects>;
  /** Stores the approved numbers inside the transaction of the call, if it has its effect later. */
  readonly keepApproved?: (
    view: View,
    call: Readonly<Record<string, unknown>>,
    approved: Effects,
  ) => Promise<void>;
}

/** Numbers that a person sees before they approve a call, such as `{ mails: 312 }`. */
export type Effects = Readonly<Record<string, number>>;

interface KeyedRoute<P, Q> extends Route {
  readonly access: KeyAccess;
  readonly agent?: AgentUse;
  /** Returns how many requests a call counts as; `granted` is the part that the rate had left. */
  readonly cost?: Cost<P, Q>;
  /**
   * Throws NOT_FOUND if the path names no record. Runs only before a query or body is refused, so
   * that an unknown id is reported first (contract 4).
   */
  readonly assertExists?: (view: View, params: P) => Promise<unknown>;
  /** A missing body counts as `{}`. */
  readonly bodyOptional?: true;
}

interface KeyedRead<P, Q, B> extends KeyedRoute<P, Q> {
  readonly method: 'GET' | 'POST';
  /** Which of the key's rates a call counts against. */
  readonly rate: 'read';
  /** Cursors are opened and sealed outside `read`. */
  readonly paged?: Paging;
  readonly read: (
    call: KeyedCall<P, Q, B> & {
      readonly view: View;
      /** In a list or feed: the position after which the page begins, from the caller's cursor. */
      readonly after: string | undefined;
      /** What a page of a list without `limit` may take. */
      readonly bytesMax: number;
    },
  ) => Promise<Reply>;
  readonly dryRun?: never;
  readonly write?: never;
  readonly precheck?: never;
  readonly prepare?: never;
  readonly shownOnce?: never;
}

interface KeyedWrite<P, Q, B> extends KeyedRoute<P, Q> {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly rate: 'write';
  /**
   * Returns why a call that matches the schemas is refused, or undefined. Runs before the transaction
   * begins and may use the network.
   */
  readonly precheck?: (call: Call<P, Q, B>) => Promise<Fault | undefined>;
  readonly prepare?: Prepare<P, Q, B>;
  readonly write: (call: KeyedCall<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
  /** Members of the data that are shown once: replays of the response omit them. */
  readonly shownOnce?: readonly string[];
  readonly read?: never;
  readonly dryRun?: never;
  readonly paged?: never;
}

type Keyed<P, Q, B> = KeyedRead<P, Q, B> | KeyedWrite<P, Q, B>;

/** An endpoint of the API that is called with a key. */
export type KeyedEndpoint = { readonly kind: 'keyed' } & AnySchemas & Keyed<any, any, any>;

/** Returns what an endpoint does when an agent calls it. */
export function riskOf({
  agent,
  rate,
  method,
}: Pick<KeyedEndpoint, 'agent' | 'rate' | 'method'>): Risk {
  return (
    agent?.risk ?? (rate === 'read' ? 'read' : method === 'DELETE' ? 'destroys' : 'reversible')
  );
}

/** Declares an endpoint that is called with an API key: `read` gets a View, `write` a Work. */
export const defineKeyedEndpoint = <
  const D extends TSchema,
  P extends PartSchema = undefined,
  Q extends PartSchema = undefined,
  B extends PartSchema = undefined,
>(
  options: RouteSchemas<P, Q, B, D> & Keyed<ValueOf<P>, ValueOf<Q>, ValueOf<B>>,
): KeyedEndpoint => ({ kind: 'keyed', ...options }) as KeyedEndpoint;
