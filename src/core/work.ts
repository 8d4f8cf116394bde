import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventType, Occurrence } from './event.ts';
import type { Fault } from './fault.ts';
import type { Job } from './job-type.ts';
import type { Json } from './schema/json.ts';
import type { RecordSchema, Texts } from './schema/record.ts';

/** Who asks, as logs and the audit trail name him. */
export interface Actor {
  readonly kind: 'key' | 'cli' | 'job' | 'provider' | 'visitor';
  /** Key id, operating-system user, job name, `provider/channel` or `public`. */
  readonly name: string;
  readonly keyPrefix?: string;
  readonly requestId: string;
  /** Endpoint id or command path. */
  readonly operation: string;
}

/**
 * Reads many records of one kind in one statement: `$1` are sub-account ids and `$2` record ids,
 * pairwise; each row answers the place in the list, from 1, and then the record's members.
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

/** What a read may do: prepared statements for one sub-account, without a transaction. */
export interface View {
  readonly subAccountId: string;
  readonly now: Date;
  rows<T extends object>(text: string, values: readonly unknown[]): Promise<T[]>;
  /** The same, with every column as PostgreSQL wrote it: for records that go out as JSON. */
  texts(text: string, values: readonly unknown[]): Promise<Texts[]>;
  /** One record by id; the reads of one tick of all requests share a statement. */
  point(read: PointRead, id: string): Promise<Json | undefined>;
  /** Rows from memory; where they are not known yet they are read, by a transaction that has begun in it. */
  cached<T extends object>(read: CachedRead<T>): Promise<readonly T[]>;
}

/**
 * One transaction on behalf of one sub-account: everything done through it commits together. It
 * begins with the first `rows`, `point` or use of `em`; a change that needs none of them is written
 * as one statement. No call of the network belongs in it.
 */
export interface Work extends View {
  readonly actor: Actor;
  /** Entities, flushed before the writes below. */
  readonly em: EntityManager;
  /**
   * Reads without beginning the transaction, or in it where it has begun; works that ask the same at
   * once share the rows. What was seen may be different by the time of the writes, which have to
   * stand up to that by themselves.
   */
  readOutside<T extends object>(text: string, values: readonly unknown[]): Promise<T[]>;
  /** Queues an insert, update or delete (`$1…`) that runs when the use case is done. */
  write(text: string, values: readonly unknown[]): void;
  /** The same for a statement that returns a row with the members of `record`: its JSON, once written. */
  writeRecord(text: string, values: readonly unknown[], record: RecordSchema): () => Json;
  /** Says which fault a broken constraint means; asked after the transaction is gone. */
  mapConstraint(constraint: string, fault: (view: View) => Promise<Fault> | Fault): void;
  /**
   * Takes a name until this work ends, or answers when the work of this process that has it does.
   * Spares the database what all but one would try in vain; nothing is safe by it, and in a
   * transaction that has begun it does nothing.
   */
  claim(name: string): Promise<void> | undefined;
  /** A change that breaks this constraint is run again from its beginning: somebody was quicker. */
  retryOn(constraint: string): void;
  /** Records the event in this transaction and lets other slices react within it. */
  emit<T extends object>(type: EventType<T>, occurrence: Occurrence<T>): Promise<void>;
  /** Calls back with each event that is emitted from now on, by reactions too. */
  onEmit(listener: (type: EventType, occurrence: Occurrence<object>) => void): void;
  /** Queues a job that exists only if this transaction commits. */
  enqueue<T extends object>(job: Job<T>, payload: T, when?: { runAt?: Date; key?: string }): void;
  /** Names the record this change is about; a change that names one is audited. */
  audit(recordId: string): void;
}

/**
 * Runs `change` in a Work and commits it. `conclude` then reads the outcome: inside the transaction
 * where one was begun, right after the commit where the change was a single statement. A change
 * that met a deadlock, or asked for it (`again`), is run again.
 */
export type Transact = <R, C = R>(
  subAccountId: string,
  actor: Actor,
  change: (work: Work) => Promise<R>,
  conclude?: (view: View, outcome: R) => Promise<C>,
) => Promise<C>;
