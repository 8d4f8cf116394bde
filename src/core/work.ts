import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventType, Occurrence } from './event.ts';
import type { Fault } from './fault.ts';
import type { Job, JobKey } from './job-type.ts';
import type { Json } from './schema/json.ts';
import type { RecordSchema } from './schema/record.ts';
import type { WirePage, WireRow } from './schema/wire-row.ts';

/** The caller, as logs and the audit trail name it. */
export interface Actor {
  readonly kind: 'key' | 'agent' | 'user' | 'cli' | 'job' | 'provider' | 'visitor';
  /** Key id (also of an agent), email address, operating-system user, job name, `provider/channel` or `public`. */
  readonly name: string;
  readonly keyPrefix?: string | undefined;
  /** The program that an agent calls through, as it names itself. */
  readonly client?: string | undefined;
  readonly requestId: string;
  /** Endpoint id or command path. */
  readonly operation: string;
}

/**
 * Reads many records of one kind and sub-account in one statement: `$1` is the sub-account's id and
 * `$2` a list of record ids, or of other keys in lower case; each row has its key, and then the
 * members of the record.
 */
export interface PointRead {
  readonly text: string;
  readonly record: RecordSchema;
}

/** A small, rarely changed set of rows of a sub-account (`$1`), kept in memory until a table changes. */
export interface CachedRead<T extends object> {
  readonly tables: readonly string[];
  readonly text: string;
  readonly '~row'?: T;
}

/** Reads of one sub-account: prepared statements without a transaction. */
export interface View {
  readonly subAccountId: string;
  readonly now: Date;
  rows<T extends object>(text: string, values: readonly unknown[]): Promise<T[]>;
  /** Like `rows`, with rows as PostgreSQL sent them: for records that are sent as JSON. */
  wireRows(text: string, values: readonly unknown[]): Promise<WireRow[]>;
  /**
   * The same for a page: the statement returns one row more than the size. A page ends early, at 4 MB,
   * since a hundred records can have a hundred megabytes.
   */
  wirePage(text: string, values: readonly unknown[], size: number): Promise<WirePage>;
  /** Reads one record by id; the point reads of one tick of the event loop share a statement. */
  point(read: PointRead, id: string): Promise<Json | undefined>;
  /** Returns cached rows; loads them if necessary, inside the transaction if one has begun. */
  cached<T extends object>(read: CachedRead<T>): Promise<readonly T[]>;
}

/**
 * When a job may run: at `runAt` at the earliest, and `waitMs` after it is queued. The wait is counted by
 * the database, whose clock decides when jobs are due: the clock of a process may be wrong.
 */
export interface JobTime {
  readonly runAt?: Date | undefined;
  readonly waitMs?: number | undefined;
}

/** What changed, before and after, as the audit trail keeps it. */
export type AuditedChanges = Readonly<
  Record<string, { readonly from: unknown; readonly to: unknown }>
>;

/**
 * One transaction on behalf of one sub-account: everything done through it commits together. It
 * begins with the first `rows`, `point` or use of `em`; a change that needs none of them is written
 * as one statement. It must not use the network.
 */
export interface Work extends View {
  readonly actor: Actor;
  /** Entities, flushed before the writes below. */
  readonly em: EntityManager;
  /**
   * Reads without beginning the transaction, or inside it if it has begun. Equal reads at the same time
   * share the rows. They may be outdated when the writes run: the writes must check what they rely on.
   */
  readOutside<T extends object>(text: string, values: readonly unknown[]): Promise<T[]>;
  /** Reads like `point`, and outside the transaction like `readOutside`. */
  pointOutside(read: PointRead, id: string): Promise<Json | undefined>;
  /** Defers an insert, update or delete (`$1…`) to the end of the use case. */
  write(text: string, values: readonly unknown[]): void;
  /** Defers a statement that returns a row of `record`. Returns a function that returns its JSON afterwards. */
  writeRecord(text: string, values: readonly unknown[], record: RecordSchema): () => Json;
  /** Maps a broken constraint to a Fault; called after the rollback. */
  mapConstraint(constraint: string, fault: (view: View) => Promise<Fault> | Fault): void;
  /**
   * Claims a name until this work ends, or returns a promise that resolves when the work of this process
   * that claimed it ends. It only spares the database futile attempts and protects nothing. Inside a
   * transaction it does nothing.
   */
  claim(name: string): Promise<void> | undefined;
  /** Runs the change again from its beginning if it breaks this constraint: another one was faster. */
  retryOn(constraint: string): void;
  /** Records the event in this transaction and lets other slices react within it. */
  emit<T extends object>(type: EventType<T>, occurrence: Occurrence<T>): Promise<void>;
  /** Calls back with each event that is emitted from now on, by reactions too, and its time. */
  onEmit(listener: (type: EventType, occurrence: Occurrence<object>, at: Date) => void): void;
  /** Queues a job if this transaction commits. */
  enqueue<T extends object>(job: Job<T>, payload: T, when?: JobTime & { key?: JobKey }): void;
  /** Audits this change, under the id of its record. `changes` stand for the fields of the record. */
  audit(recordId: string, changes?: AuditedChanges): void;
}

/**
 * Runs `change` in a Work and commits it. `conclude` then reads the result: inside the transaction if
 * one has begun, otherwise right after the commit. A change is run again after a conflict, and if it
 * breaks a constraint that it named with `retryOn`.
 */
export type Transact = <R, C = R>(
  subAccountId: string,
  actor: Actor,
  change: (work: Work) => Promise<R>,
  conclude?: (view: View, outcome: R) => Promise<C>,
) => Promise<C>;

/** Code that runs inside the transaction in which the event happened. */
export interface Reaction<T = any> {
  readonly type: EventType<T>;
  readonly react: (work: Work, occurrence: Occurrence<T>) => Promise<void>;
}

export const reactTo = <T>(type: EventType<T>, react: Reaction<T>['react']): Reaction<T> => ({
  type,
  react,
});
