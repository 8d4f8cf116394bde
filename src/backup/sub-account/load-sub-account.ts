import { FIND_TAKEN_JOB_KEY } from '#platform/queue/private-tables.ts';
import type { Client } from 'pg';
import { Fault } from '#core/fault.ts';
import {
  collectAnnouncementsOf,
  passOnAnnouncements,
} from '#platform/database/cluster/relay-notices.ts';
import { MIGRATIONS_LOCK, withClient } from '#platform/database/migrate/schema-state.ts';
import type { Write } from '#platform/database/work/deferred-writes.ts';
import { nameOfSource, type SourceFile } from '#platform/files/source-file.ts';
import { PAUSE } from '#platform/queue/pause.ts';
import { movingOf, tablesOf, ownerOf, quoted } from '../catalogue.ts';
import { rowError } from '../explain.ts';
import { keepContents } from '../files.ts';
import type { Trailer, TableHead } from '../format.ts';
import { askerOf, pauseWorkers, prepareToCopy, type Ask } from '../session.ts';
import { readBackup, type OnRead } from '../read-backup.ts';
import {
  requireOwn,
  stageTables,
  insertIncoming,
  raiseSequences,
  requireFinite,
  requireKnownPositions,
  incoming,
} from './insert-incoming.ts';
import { deleteRows } from './purge-sub-account.ts';

export interface SubAccountLoad<R> {
  readonly url: string;
  readonly file: SourceFile;
  readonly subAccountId: string;
  /** Replaces an existing sub-account of that id. */
  readonly replace: boolean;
  /** Rolls everything back. */
  readonly dryRun: boolean;
  /** If set, workers are paused for this reason before anything is written. */
  readonly pauseReason: string | undefined;
  /** Checks and changes the staged rows (`incoming_…`). Throws to refuse them. */
  readonly prepare: (ask: Ask) => Promise<R>;
  /** The audit entry to add to the loaded data. */
  readonly audit: Write;
  readonly onRead?: OnRead;
}

export interface LoadedSubAccount<R> {
  readonly rows: Trailer['rows'];
  readonly replaced: boolean;
  readonly prepared: R;
}

/**
 * Loads the sub-account of a file into a database with its schema, in one transaction, while the others
 * keep working. The file is untrusted: its rows are checked in temporary tables first.
 */
export const loadSubAccount = <R>(load: SubAccountLoad<R>): Promise<LoadedSubAccount<R>> =>
  withClient(load.url, async (client) => {
    const ask = askerOf(client);
    collectAnnouncementsOf(client);
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
    const resume =
      load.pauseReason && !load.dryRun ? await pauseWorkers(ask, load.pauseReason) : undefined;
    try {
      await client.query('begin');
      const loaded = await loadWithin(client, ask, load);
      await (load.dryRun ? undefined : passOnAnnouncements(client));
      await client.query(load.dryRun ? 'rollback' : 'commit');
      // The first queries need statistics before autovacuum collects them.
      await (load.dryRun ? undefined : client.query('analyze').catch(() => undefined));
      return loaded;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      await resume?.().catch(() => undefined);
      throw rowError(nameOfSource(load.file), error);
    }
  });

async function loadWithin<R>(
  client: Client,
  ask: Ask,
  load: SubAccountLoad<R>,
): Promise<LoadedSubAccount<R>> {
  const { file, subAccountId, onRead } = load;
  await prepareToCopy(client);
  const tables = movingOf(await tablesOf(ask));
  const { rows, sequences } = await stageTables(client, tables, readBackup(file, { onRead }));
  await requireOwn(client, tables, subAccountId);
  await requireFinite(ask, tables);
  await requireKnownPositions(ask, sequences);
  const replaced = await requireReplaceable(ask, load);
  await requireFree(ask, tables, subAccountId);
  const prepared = await load.prepare(ask);
  await deleteRows(ask, tables, subAccountId);
  await insertIncoming(ask, tables, subAccountId);
  await keepContents(ask, tables);
  await ask(load.audit.text, load.audit.values);
  if (load.pauseReason) {
    await ask(PAUSE, [load.pauseReason]);
  }
  if (!load.dryRun) {
    await raiseSequences(ask, sequences);
  }
  return { rows, replaced, prepared };
}

/** Locks an existing sub-account and returns whether there is one. Throws a Fault without `replace`. */
async function requireReplaceable<R>(
  ask: Ask,
  { subAccountId, replace }: SubAccountLoad<R>,
): Promise<boolean> {
  // Two imports of the same sub-account run one after the other.
  await ask(`select pg_advisory_xact_lock(hashtextextended('import ' || $1, 0))`, [subAccountId]);
  const [existing] = await ask<{ name: string; isClosed: boolean }>(
    `select name, deleted_at is not null as "isClosed" from sub_accounts where id = $1 for update`,
    [subAccountId],
  );
  if (existing && !replace) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the sub-account ${subAccountId} exists already (${existing.name}${existing.isClosed ? ', closed' : ''}); pass --replace to replace it with the one in the file`,
    );
  }
  return existing !== undefined;
}

interface Index {
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * Throws a Fault if rows have values of other sub-accounts that must be unique in the installation:
 * hashes of keys, and ids that are looked up without a sub-account.
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
      `other sub-accounts of this installation use the same values in ${taken.join(', ')}; nothing was written`,
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

/** Unique indexes, and indexes on `id` alone: those are searched without a sub-account. */
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
