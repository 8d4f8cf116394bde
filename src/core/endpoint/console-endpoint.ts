import type { TSchema } from 'typebox';
import type { PublicLimit } from '../rate-limit.ts';
import { coversRole, SCOPES_OF_ROLE, type Role } from '../role.ts';
import type { Scope } from '../scope.ts';
import type { View, Work } from '../work.ts';
import type { Caller, KeyedEndpoint } from './keyed-endpoint.ts';
import type { Reply } from './reply.ts';
import type { StreamContext, StreamEvent } from './stream-endpoint.ts';
import type {
  AdmittedCall,
  AnySchemas,
  Call,
  Cost,
  PartSchema,
  Prepare,
  PrepareContext,
  Route,
  RouteSchemas,
  ValueOf,
  Without,
} from './route.ts';
import type { Fault } from '../fault.ts';

/** What a member of a sub-account must have: a role that grants the scope, or that covers the role. */
export type MemberAccess =
  | { readonly kind: 'scope'; readonly scope: Scope }
  | { readonly kind: 'role'; readonly role: Role };

/**
 * What a signed-in user must have: a scope or a role in the sub-account that `X-Sub-Account-Id` names,
 * the installation, or only the session. The last two act for the installation as a whole; an owner may
 * also act for a sub-account that the call creates.
 */
export type SessionAccess =
  | MemberAccess
  | { readonly kind: 'owner'; readonly of: 'installation' | 'new-sub-account' }
  | { readonly kind: 'session' };

/** Access of members of the sub-account whose role grants the scope. */
export const memberScope = (scope: Scope): MemberAccess => ({ kind: 'scope', scope });

/** Access of members of the sub-account with this role or a more powerful one. */
export const memberRole = (role: Role): MemberAccess => ({ kind: 'role', role });

/** Returns whether members with this role have the access. */
export const isGranted = (role: Role, access: MemberAccess): boolean =>
  access.kind === 'scope' ? SCOPES_OF_ROLE[role].has(access.scope) : coversRole(role, access.role);

/** Access of owners, who act for the installation. */
export const ownerAccess: SessionAccess = { kind: 'owner', of: 'installation' };

/** Access of owners; the work belongs to a new sub-account, whose id is the work's. */
export const ownerOfNew: SessionAccess = { kind: 'owner', of: 'new-sub-account' };

/** The signed-in user that called. `keyId` is the id of the user. */
export interface ConsoleCaller extends Caller {
  readonly sessionId: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null };
  readonly isOwner: boolean;
  /** Signed in within the last 10 minutes. */
  readonly isRecent: boolean;
  /** The role in the sub-account; null on endpoints without one. */
  readonly role: Role | null;
  /** The team member of the sub-account with the user's email address, for "assigned to me". */
  readonly memberId: string | null;
}

interface SessionCall<P, Q, B> extends AdmittedCall<P, Q, B> {
  readonly caller: ConsoleCaller;
}

interface SessionRoute<P, Q> extends Route {
  readonly access: SessionAccess;
  /** Refused unless the user signed in within the last 10 minutes (contract 11, "Recent sign-in"). */
  readonly recentSignIn?: true;
  readonly cost?: Cost<P, Q>;
  /** Throws NOT_FOUND if the path names no record: an unknown id is reported before a malformed body. */
  readonly assertExists?: (view: View, params: P) => Promise<unknown>;
  /** A missing body counts as `{}`. */
  readonly bodyOptional?: true;
  readonly limit?: never;
}

/** The members in which declarations behind a session differ. */
type SessionPart =
  | 'read'
  | 'dryRun'
  | 'receive'
  | 'write'
  | 'stream'
  | 'paged'
  | 'precheck'
  | 'prepare'
  | 'shownOnce';

interface SessionRead<P, Q, B>
  extends SessionRoute<P, Q>, Without<Exclude<SessionPart, 'read' | 'paged'>> {
  readonly method: 'GET' | 'POST';
  readonly rate: 'read';
  /** As on a keyed endpoint. */
  readonly paged?: true | 'feed';
  readonly read: (
    call: SessionCall<P, Q, B> & { readonly view: View; readonly after: string | undefined },
  ) => Promise<Reply>;
}

/** Reads by changes that are rolled back, such as the plan of a manifest. */
interface SessionDryRun<P, Q, B>
  extends SessionRoute<P, Q>, Without<Exclude<SessionPart, 'dryRun'>> {
  readonly method: 'GET' | 'POST';
  readonly rate: 'read';
  readonly dryRun: (call: SessionCall<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
}

/** What `prepare` also gets behind a session. */
export interface SessionPrepareContext extends PrepareContext {
  readonly caller: ConsoleCaller;
  /** The public address of the server, without a slash at its end, for links. */
  readonly baseUrl: string;
}

interface SessionWrite<P, Q, B>
  extends
    SessionRoute<P, Q>,
    Without<Exclude<SessionPart, 'write' | 'precheck' | 'prepare' | 'shownOnce'>> {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly rate: 'write';
  readonly precheck?: (call: Call<P, Q, B>) => Promise<Fault | undefined>;
  readonly prepare?: (call: Call<P, Q, B> & SessionPrepareContext) => Promise<void>;
  readonly write: (call: SessionCall<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
  /** Members of the data that are shown once: replays of the response omit them. */
  readonly shownOnce?: readonly string[];
}

/** Receives a file of any size up to a limit, in parts, each of which may be stored by a change. */
interface SessionUpload<P, Q> extends SessionRoute<P, Q>, Without<Exclude<SessionPart, 'receive'>> {
  readonly method: 'POST';
  readonly rate: 'write';
  readonly upload: { readonly type: string; readonly limitBytes: number };
  readonly receive: (
    call: SessionCall<P, Q, undefined> & {
      readonly view: View;
      readonly change: PrepareContext['change'];
      /** Parts of about 256 KiB, in order. Reading throws a Fault for a file that is too large or broken off. */
      readonly parts: AsyncIterable<Buffer>;
    },
  ) => Promise<Reply>;
}

/** Server-sent events for a signed-in user. The stream ends when the session or the access ends. */
interface SessionStream<P, Q> extends SessionRoute<P, Q>, Without<Exclude<SessionPart, 'stream'>> {
  readonly method: 'GET';
  readonly rate: 'read';
  readonly stream: (
    call: SessionCall<P, Q, undefined> & StreamContext,
  ) => AsyncIterable<StreamEvent>;
}

/** A call of the sign-in page: the visitor is not signed in yet. */
interface SignInCall<P, Q, B> extends AdmittedCall<P, Q, B> {
  /** The token of the browser's session, which a new sign-in ends. */
  readonly sessionToken: string | undefined;
  readonly caller?: never;
}

interface SignInRoute<P, Q, B>
  extends
    Route,
    Without<
      'rate' | 'recentSignIn' | 'cost' | 'assertExists' | Exclude<SessionPart, 'write' | 'prepare'>
    > {
  readonly access: { readonly kind: 'visitor' };
  readonly method: 'GET' | 'POST';
  /** Calls count against this limit, per IP address. */
  readonly limit?: PublicLimit;
  readonly prepare?: Prepare<P, Q, B>;
  readonly write: (call: SignInCall<P, Q, B> & { readonly work: Work }) => Promise<Reply>;
  readonly bodyOptional?: true;
}

type Session<P, Q, B> =
  | SessionRead<P, Q, B>
  | SessionDryRun<P, Q, B>
  | SessionWrite<P, Q, B>
  | SessionUpload<P, Q>
  | SessionStream<P, Q>;

/** An endpoint of the console that a signed-in user reads or writes with. */
export type SessionCallEndpoint = { readonly kind: 'console' } & AnySchemas &
  (SessionRead<any, any, any> | SessionDryRun<any, any, any> | SessionWrite<any, any, any>);

/** An endpoint of the console that returns server-sent events. */
type SessionStreamEndpoint = { readonly kind: 'console' } & AnySchemas & SessionStream<any, any>;

/** An endpoint of the console that receives a file. */
type SessionUploadEndpoint = { readonly kind: 'console' } & AnySchemas & SessionUpload<any, any>;

/** An endpoint of the console for signed-in users. */
export type SessionEndpoint = SessionCallEndpoint | SessionUploadEndpoint | SessionStreamEndpoint;

/** An endpoint of the console's sign-in page. */
export type SignInEndpoint = { readonly kind: 'console' } & AnySchemas & SignInRoute<any, any, any>;

/** An endpoint below `/console/api`: called with a session cookie instead of a key. */
export type ConsoleEndpoint = SessionEndpoint | SignInEndpoint;

/** Declares an endpoint for signed-in users; its path begins with `/console/api/`. */
export const defineConsoleEndpoint = <
  const D extends TSchema,
  P extends PartSchema = undefined,
  Q extends PartSchema = undefined,
  B extends PartSchema = undefined,
>(
  options: RouteSchemas<P, Q, B, D> & Session<ValueOf<P>, ValueOf<Q>, ValueOf<B>>,
): ConsoleEndpoint => ({ kind: 'console', ...options }) as ConsoleEndpoint;

/** Declares an endpoint of the sign-in page. */
export const defineSignInEndpoint = <
  const D extends TSchema,
  P extends PartSchema = undefined,
  Q extends PartSchema = undefined,
  B extends PartSchema = undefined,
>(
  options: RouteSchemas<P, Q, B, D> & SignInRoute<ValueOf<P>, ValueOf<Q>, ValueOf<B>>,
): ConsoleEndpoint => ({ kind: 'console', ...options }) as ConsoleEndpoint;

/** Returns the twin of an endpoint of the API, below `/console` and behind a session. */
export function behindSession(endpoint: KeyedEndpoint): SessionEndpoint | undefined {
  const { access, path } = endpoint;
  // The others are about the key itself, or about the sub-accounts of an agency.
  if (access.kind !== 'key') {
    return undefined;
  }
  const twin = { ...endpoint, kind: 'console', path: `/console${path}` };
  return { ...twin, access: memberScope(access.scope) } as SessionEndpoint;
}
