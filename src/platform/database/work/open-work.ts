import type { ChangeSet } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import type { EventType, Occurrence } from '#core/event.ts';
import type { Reaction, Actor, View, Work } from '#core/work.ts';
import type { Fault } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import type { RecordSchema } from '#core/schema/record.ts';
import { deferredJob, type DeferredJob, writesOfJobs } from './deferred-jobs.ts';
import {
  sharedTable,
  type Write,
  eventRow,
  writeOfAudit,
  writeOfEvents,
  type EventRow,
} from './deferred-writes.ts';
import { fieldChangesOf, limitChanges, type FieldChanges } from './field-changes.ts';
import { rowsOn, wirePageOn, wireRowsOn, type Database } from '../database.ts';
import type { EntityManagers } from '../orm.ts';
import { lazyTransaction, type Transaction } from '../transaction.ts';
import type { OpenView } from '../view.ts';
import { writeInOrder, type WriteOut } from './group-commit.ts';

export interface WorkDeps {
  readonly database: Database;
  readonly writeOut: WriteOut;
  readonly claimed: Claimed;
  readonly ask: Database['rows'];
  readonly entityManagers: EntityManagers;
  readonly reactions: readonly Reaction[];
  readonly openView: OpenView;
  readonly clock: () => Date;
  /** Called when a change that emitted events is committed. */
  readonly onEvents: (subAccountId: string) => void;
}

/** A Work and how it ends. */
export interface OpenWork {
  readonly work: Work;
  /** Writes everything, lets `conclude` read the result, and commits. */
  commit<C>(conclude: (view: View) => Promise<C>): Promise<C>;
  rollBack(): Promise<void>;
  /** Returns whether the writes are committed, even if `conclude` failed afterwards. */
  isCommitted(): boolean;
  /** Releases its claims, whether it was committed or rolled back. */
  end(): void;
  /** Returns whether the use case asked to run again if this constraint breaks. */
  isAgain(constraint: string | undefined): boolean;
  /** Returns the Fault that the use case mapped a broken constraint to. */
  mapped(constraint: string | undefined): Promise<Fault | undefined>;
}

/** A write that returns its row as JSON. */
interface ReturnedRows {
  readonly write: Write;
  readonly record: RecordSchema;
  json?: Json;
}

/** What a use case has deferred. */
interface Draft {
  readonly writes: Write[];
  readonly jobs: DeferredJob[];
  readonly events: EventRow[];
  readonly explanations: Map<string, (view: View) => Promise<Fault> | Fault>;
  readonly returned: ReturnedRows[];
  readonly retryOn: Set<string>;
  readonly emitListeners: Parameters<Work['onEmit']>[0][];
  em?: EntityManager;
  touched?: string;
  /** The fields that entities of this change had before and after, by the ids of their records. */
  readonly changes: Map<string, FieldChanges>;
  /** The changes that the caller described, instead of those of the record. */
  described?: FieldChanges;
}

export function openWork(deps: WorkDeps, subAccountId: string, actor: Actor): OpenWork {
  const transaction = lazyTransaction(deps.database, () =>
    deps.database.transactions.enter(subAccountId),
  );
  const draft: Draft = {
    writes: [],
    jobs: [],
    events: [],
    returned: [],
    retryOn: new Set(),
    emitListeners: [],
    explanations: new Map(),
    changes: new Map(),
  };
  const now = deps.clock();
  const { claim, release } = claimsOn(deps.claimed);
  const work = workOn(deps, draft, transaction, { subAccountId, actor, now, claim });
  const openView = () => deps.openView(subAccountId, now);
  let isCommitted = false;
  return {
    work,
    async commit(conclude) {
      await draft.em?.flush();
      const writes = deferredWritesOf(work, draft);
      if (writes.length > 0) {
        await writeDraft(deps, transaction, { subAccountId, writes }, draft);
      }
      const announced = draft.events.length > 0;
      if (!transaction.begun()) {
        isCommitted = true;
        if (announced) {
          deps.onEvents(subAccountId);
        }
        return conclude(openView());
      }
      const concluded = await conclude(work);
      await transaction.commit();
      isCommitted = true;
      if (announced) {
        deps.onEvents(subAccountId);
      }
      return concluded;
    },
    rollBack: transaction.rollBack,
    isCommitted: () => isCommitted,
    end: release,
    isAgain: (constraint) => draft.retryOn.has(constraint ?? ''),
    mapped: async (constraint) => draft.explanations.get(constraint ?? '')?.(openView()),
  };
}

function workOn(
  { ask, entityManagers, openView, reactions, clock }: WorkDeps,
  draft: Draft,
  transaction: Transaction,
  { subAccountId, actor, now, claim }: Pick<Work, 'subAccountId' | 'actor' | 'now' | 'claim'>,
): Work {
  const work: Work = {
    subAccountId,
    actor,
    now,
    // Never wait for a claim while holding a connection: it would deadlock the pool.
    claim: (name) => (transaction.begun() ? undefined : claim(name)),
    rows: async (text, values) => rowsOn(await transaction.client(), text, values),
    wireRows: async (text, values) => wireRowsOn(await transaction.client(), text, values),
    wirePage: async (text, values, size) =>
      wirePageOn(await transaction.client(), text, values, size),
    async point(read, id) {
      const [found] = await work.wireRows(read.text, [subAccountId, [id]]);
      return found && read.record.encode(found, 1);
    },
    cached(read) {
      const client = transaction.begun();
      const inside: Database['rows'] = (text, values) => rowsOn(client as PoolClient, text, values);
      return openView(subAccountId, now, client && inside).cached(read);
    },
    readOutside(text, values) {
      const client = transaction.begun();
      return client ? rowsOn(client, text, values) : ask(text, values);
    },
    pointOutside: (read, id) =>
      (transaction.begun() ? work : openView(subAccountId, now)).point(read, id),
    get em() {
      draft.em ??= entityManagers(transaction.client, (change) => noteChange(draft, change));
      return draft.em;
    },
    write: (text, values) => void draft.writes.push({ text, values }),
    writeRecord(text, values, record) {
      const returned: ReturnedRows = { write: { text, values }, record };
      draft.writes.push(returned.write);
      draft.returned.push(returned);
      return () => writtenJson(returned);
    },
    mapConstraint: (constraint, fault) => void draft.explanations.set(constraint, fault),
    retryOn: (constraint) => void draft.retryOn.add(constraint),
    emit: (type, occurrence) => emit(work, { draft, reactions, clock }, type, occurrence),
    onEmit: (listener) => void draft.emitListeners.push(listener),
    enqueue: (job, payload, when = {}) => void draft.jobs.push(deferredJob(job, payload, when)),
    audit(recordId, changes) {
      draft.touched ??= recordId;
      if (changes !== undefined) {
        draft.described = limitChanges(changes);
      }
    },
  };
  return work;
}

function noteChange({ changes }: Draft, change: ChangeSet<object>): void {
  const { id } = change.entity as { readonly id?: unknown };
  const fields = typeof id === 'string' ? fieldChangesOf(change) : undefined;
  if (fields) {
    changes.set(String(id), { ...fields, ...changes.get(String(id)) });
  }
}

async function emit(
  work: Work,
  { draft, reactions, clock }: { readonly draft: Draft } & Pick<WorkDeps, 'reactions' | 'clock'>,
  type: EventType,
  occurrence: Occurrence<object>,
): Promise<void> {
  // Not `work.now`: the change may have waited for another change of the same record.
  const at = clock();
  draft.emitListeners.forEach((listener) => listener(type, occurrence, at));
  if (type.webhook) {
    draft.events.push(eventRow(at, type, occurrence));
  }
  for (const reaction of reactions) {
    if (reaction.type === type) {
      await reaction.react(work, occurrence);
    }
  }
}

/**
 * Joins the writes into one statement if no transaction has begun. If two writes change rows of one
 * table, a transaction begins. Inside a transaction the writes run one after another.
 */
async function writeDraft(
  { writeOut }: WorkDeps,
  transaction: Transaction,
  { subAccountId, writes }: { readonly subAccountId: string; readonly writes: readonly Write[] },
  draft: Draft,
): Promise<void> {
  const { returned } = draft;
  const wanted = returned.map(({ write }) => write);
  const width = returned.reduce((sum, { record }) => sum + record.width, 0);
  const needsTransaction = transaction.begun() !== undefined || sharedTable(writes) !== undefined;
  const row = await (needsTransaction
    ? writeInOrder(await transaction.client(), { writes, wanted })
    : writeOut({ subAccountId, writes, wanted, width }));
  let start = 0;
  for (const one of returned) {
    one.json = one.record.encode(row, start);
    start += one.record.width;
  }
}

function writtenJson({ json: written }: ReturnedRows): Json {
  if (written === undefined) {
    throw new Error('read before it was written');
  }
  return written;
}

function deferredWritesOf(
  work: Work,
  { writes, jobs, events, touched, changes, described }: Draft,
): Write[] {
  return [
    ...writes,
    ...writesOfJobs(jobs),
    ...(events.length > 0 ? [writeOfEvents(work.subAccountId, events)] : []),
    ...(touched === undefined
      ? []
      : [writeOfAudit(work, touched, described ?? changes.get(touched))]),
  ];
}

/** Names that works of this process have claimed; each promise resolves when the name is free. */
export type Claimed = Map<string, Promise<void>>;

interface Claims {
  /** Claims a name, or returns a promise that resolves when it is free again. */
  claim(name: string): Promise<void> | undefined;
  release(): void;
}

/** Tracks the claims of one work. */
export function claimsOn(claimed: Claimed): Claims {
  const held: (() => void)[] = [];
  return {
    claim(name) {
      const busy = claimed.get(name);
      if (busy) {
        return busy;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      claimed.set(name, promise);
      held.push(() => {
        claimed.delete(name);
        resolve();
      });
      return undefined;
    },
    release() {
      held.splice(0).forEach((free) => free());
    },
  };
}
