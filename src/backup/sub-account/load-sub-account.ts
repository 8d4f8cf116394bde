import { FIND_TAKEN_JOB_KEY } from '#platform/queue/private-tables.ts';
import type { Client } from 'pg';
import { Fault } from '#core/fault.ts';
import { MIGRATIONS_LOCK, withClient } from '#platform/database/migrate/schema-state.ts';
import type { Write } from '#platform/database/work/deferred-writes.ts';
import { PAUSE } from '#platform/queue/pause.ts';
import { ownedOf, tablesOf, ownerOf, quoted, type Ask } from '../catalogue.ts';
import { rowError } from '../explain.ts';
import type { Trailer, TableHead } from '../format.ts';
import { pauseWorkers, PATIENT, PLAIN_VALUES } from '../session.ts';
import { readBackup, type OnRead } from '../read-backup.ts';
import {
  requireOwn,
  stageTables,
  insertIncoming,
  raiseSequences,
  requireCounted,
  incoming,
} from './insert-incoming.ts';
import { forgetRows } from './purge-sub-account.ts';

export interface SubAccountLoad<R> {
  readonly url: string;
  readonly file: string;
  readonly subAccountId: string;
  /** Replaces the sub-account of that id where there is one. */
  readonly replace: boolean;
  /** Does all of it and takes it back. */
  readonly dryRun: boolean;
  /** Where set, workers are held from before anything is written, and say this reason. */
  readonly hold: string | undefined;
  /** Looks at the rows that wait (`incoming_…`), and changes or refuses them. */
  readonly prepare: (ask: Ask) => Promise<R>;
  /** Who did this, for the audit trail of what is loaded. */
  readonly audit: Write;
  readonly onRead?: OnRead;
}

export interface LoadedSubAccount<R> {
  readonly rows: Trailer['rows'];
  readonly replaced: boolean;
  readonly prepared: R;
}

/**
 * Brings the sub-account of a file into a database that has its schema, all of it or, whatever
 * happens, nothing. The others go on meanwhile. The file is nobody's word: no row of it gets
 * anywhere before it was looked at.
 */
export const loadSubAccount = <R>(load: SubAccountLoad<R>): Promise<LoadedSubAccount<R>> =>
  withClient(load.url, async (client) => {
    const ask: Ask = async (text, values = []) =>
      (await client.query(text, values as unknown[])).rows;
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
    const letGo = load.hold && !load.dryRun ? await pauseWorkers(ask, load.hold) : undefined;
    try {
      await client.query('begin');
      const loaded = await loadWithin(client, ask, load);
      await client.query(load.dryRun ? 'rollback' : 'commit');
      // So that the first who ask do not wait for autovacuum to tell the planner what is there.
      await (load.dryRun ? undefined : client.query('analyze').catch(() => undefined));
      return loaded;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      await letGo?.().catch(() => undefined);
      throw rowError(load.file, error);
    }
  });

async function loadWithin<R>(
  client: Client,
  ask: Ask,
  load: SubAccountLoad<R>,
): Promise<LoadedSubAccount<R>> {
  const { file, subAccountId, onRead } = load;
  await client.query(PATIENT);
  await client.query(PLAIN_VALUES);
  const tables = ownedOf(await tablesOf(ask));
  const { rows, sequences } = await stageTables(client, tables, readBackup(file, onRead));
  await requireOwn(client, tables, subAccountId);
  await requireCounted(ask, sequences);
  const replaced = await requireReplaceable(ask, load);
  await requireFree(ask, tables, subAccountId);
  const prepared = await load.prepare(ask);
  await forgetRows(ask, tables, subAccountId);
  await insertIncoming(ask, tables, subAccountId);
  await ask(load.audit.text, load.audit.values);
  if (load.hold) {
    await ask(PAUSE, [load.hold]);
  }
  if (!load.dryRun) {
    await raiseSequences(ask, sequences);
  }
  return { rows, replaced, prepared };
}

/** True where a sub-account is to be replaced, which nobody changes from here on. */
async function requireReplaceable<R>(
  ask: Ask,
  { subAccountId, replace }: SubAccountLoad<R>,
): Promise<boolean> {
  // Two who bring in the same come one after the other.
  await ask(`select pg_advisory_xact_lock(hashtextextended('import ' || $1, 0))`, [subAccountId]);
  const [there] = await ask<{ name: string; isClosed: boolean }>(
    `select name, deleted_at is not null as "isClosed" from sub_accounts where id = $1 for update`,
    [subAccountId],
  );
  if (there && !replace) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the sub-account ${subAccountId} is there already (${there.name}${there.isClosed ? ', closed' : ''}); --replace replaces it by that of the file`,
    );
  }
  return there !== undefined;
}

interface Index {
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * Refuses rows that have what others have already, where that is looked up, or unique, in the
 * installation as a whole: hashes of keys, ids that are found without their sub-account.
 */
async function requireFree(
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  const owned = new Set(tables.map(({ table }) => table));
  const taken: string[] = [];
  for (const { table, columns } of await ask<Index>(GLOBAL_INDEXES)) {
    const isOurs = owned.has(table) && !columns.includes(ownerOf(table));
    if (isOurs && (await isTaken(ask, { table, columns }, subAccountId))) {
      taken.push(`${table} (${columns.join(', ')})`);
    }
  }
  const [job] = await ask(FIND_TAKEN_JOB_KEY, [subAccountId]);
  if (job) {
    taken.push('jobs (key)');
  }
  if (taken.length > 0) {
    throw new Fault(
      'VALIDATION_ERROR',
      `other sub-accounts of this installation have the same already: ${taken.join(', ')}; nothing was written`,
    );
  }
}

async function isTaken(ask: Ask, { table, columns }: Index, subAccountId: string) {
  const alike = columns.map((name) => `mine.${quoted(name)} = other.${quoted(name)}`).join(' and ');
  const others = await ask(
    `select from ${incoming(table)} mine join ${quoted(table)} other on ${alike}
     where other.${ownerOf(table)} is distinct from $1::uuid limit 1`,
    [subAccountId],
  );
  return others.length > 0;
}

/** Unique ones, and those of ids alone: somebody looks there without saying whose it is. */
const GLOBAL_INDEXES = `
  select c.relname as table, array(
    select a.attname::text from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
    order by k.place
  ) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and i.indexprs is null and (
    i.indisunique or i.indnkeyatts = 1 and exists (
      select from pg_attribute a
      where a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attname = 'id'
    )
  )`;
