import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool, PoolClient } from 'pg';
import type { Reaction } from '#kit/event.ts';
import type { Fault } from '#kit/fault.ts';
import { json, type Json } from '#kit/json.ts';
import type { RecordShape } from '#kit/record.ts';
import type { Actor, View, Work } from '#kit/work.ts';
import { joinWrites, type Write } from './closing.ts';
import { rowsOn, textsOn, type Database } from './database.ts';
import { eventRow, writeOfAudit, writeOfEvents, type EventRow } from './ledger.ts';
import type { EntityManagers } from './orm.ts';
import { lazyTransaction, type Transaction } from './transaction.ts';

export interface WorkDeps {
  readonly database: Database;
  readonly entityManagers: EntityManagers;
  readonly reactions: readonly Reaction[];
  readonly openView: (subAccountId: string, now: Date) => View;
  readonly clock: () => Date;
  /** Told when a change that announced something to subscribers is committed. */
  readonly onEvents: () => void;
}

/** A Work and the ways it ends. */
export interface OpenWork {
  readonly work: Work;
  /** Writes everything, lets `conclude` read the outcome, and commits. */
  commit<C>(conclude: (view: View) => Promise<C>): Promise<C>;
  rollBack(): Promise<void>;
  /** The fault that the use case said a broken constraint means. */
  explained(constraint: string | undefined): Promise<Fault | undefined>;
}

/** A write whose row is wanted as JSON. */
interface Returned {
  readonly write: Write;
  readonly record: RecordShape;
  json?: Json;
}

/** What a use case has asked for and nobody has written yet. */
interface Draft {
  readonly writes: Write[];
  readonly events: EventRow[];
  readonly explanations: Map<string, (view: View) => Promise<Fault> | Fault>;
  readonly returned: Returned[];
  em?: EntityManager;
  touched?: string;
}

export function openWork(deps: WorkDeps, subAccountId: string, actor: Actor): OpenWork {
  const transaction = lazyTransaction(deps.database);
  const draft: Draft = { writes: [], events: [], returned: [], explanations: new Map() };
  const now = deps.clock();
  const work = workOn(deps, draft, transaction, { subAccountId, actor, now });
  const openView = () => deps.openView(subAccountId, now);
  return {
    work,
    async commit(conclude) {
      await draft.em?.flush();
      const writes = closingOf(work, draft);
      if (writes.length > 0) {
        await writeOut(transaction.begun() ?? deps.database.pool, writes, draft);
      }
      const announced = draft.events.length > 0;
      if (!transaction.begun()) {
        if (announced) {
          deps.onEvents();
        }
        return conclude(openView());
      }
      const concluded = await conclude(work);
      await transaction.commit();
      if (announced) {
        deps.onEvents();
      }
      return concluded;
    },
    rollBack: transaction.rollBack,
    explained: async (constraint) => draft.explanations.get(constraint ?? '')?.(openView()),
  };
}

function workOn(
  { entityManagers, openView, reactions }: WorkDeps,
  draft: Draft,
  transaction: Transaction,
  { subAccountId, actor, now }: Pick<Work, 'subAccountId' | 'actor' | 'now'>,
): Work {
  const work: Work = {
    subAccountId,
    actor,
    now,
    rows: async (text, values) => rowsOn(await transaction.client(), text, values),
    texts: async (text, values) => textsOn(await transaction.client(), text, values),
    async point(read, id) {
      const [found] = await work.texts(read.text, [[subAccountId], [id]]);
      return found && json(read.record.encode(found, 1));
    },
    cached: (read) => openView(subAccountId, now).cached(read),
    get em() {
      draft.em ??= entityManagers(transaction.client);
      return draft.em;
    },
    write: (text, values) => void draft.writes.push({ text, values }),
    writeRecord(text, values, record) {
      const returned: Returned = { write: { text, values }, record };
      draft.writes.push(returned.write);
      draft.returned.push(returned);
      return () => writtenJson(returned);
    },
    explain: (constraint, fault) => void draft.explanations.set(constraint, fault),
    async emit(type, occurrence) {
      if (type.webhook) {
        draft.events.push(eventRow(now, type, occurrence));
      }
      for (const reaction of reactions) {
        if (reaction.type === type) {
          await reaction.react(work, occurrence);
        }
      }
    },
    enqueue(job, payload, { runAt, key } = {}) {
      const { name, maxAttempts } = job;
      const values = [name, JSON.stringify(payload), runAt ?? null, maxAttempts, key ?? null];
      draft.writes.push({ text: ADD_JOB, values });
    },
    touch: (recordId) => void (draft.touched ??= recordId),
  };
  return work;
}

async function writeOut(on: Pool | PoolClient, writes: readonly Write[], { returned }: Draft) {
  const { text, values } = joinWrites(
    writes,
    returned.map(({ write }) => write),
  );
  if (returned.length === 0) {
    await rowsOn(on, text, values);
    return;
  }
  const [row = []] = await textsOn(on, text, values);
  let start = 0;
  for (const one of returned) {
    one.json = json(one.record.encode(row, start));
    start += one.record.width;
  }
}

function writtenJson({ json: written }: Returned): Json {
  if (written === undefined) {
    throw new Error('read before it was written');
  }
  return written;
}

const ADD_JOB = `select graphile_worker.add_job($1, $2::json, run_at => $3::timestamptz,
  max_attempts => $4::int, job_key => $5)`;

function closingOf(work: Work, { writes, events, touched }: Draft): Write[] {
  return [
    ...writes,
    ...(events.length > 0 ? [writeOfEvents(work, events)] : []),
    ...(touched === undefined ? [] : [writeOfAudit(work, touched)]),
  ];
}
