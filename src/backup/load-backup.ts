import type { Client } from 'pg';
import { Fault } from '#core/fault.ts';
import { checkConstraints } from '#platform/database/check-constraints.ts';
import { MIGRATIONS_LOCK, withClient } from '#platform/database/migrate/schema-state.ts';
import type { Write } from '#platform/database/work/deferred-writes.ts';
import { PAUSE_RESTORED } from '#platform/queue/pause.ts';
import {
  COUNT_JOBS,
  JOB_TABLES,
  QUEUE_STAGED_JOBS,
  STAGE_JOBS,
} from '#platform/queue/private-tables.ts';
import { changesTableOf, JOBS, quoted, sequencesOf, tablesOf } from './catalogue.ts';
import { copyTables } from './copy.ts';
import { databaseText } from './describe-target.ts';
import { EVENT_POSITIONS, nextOf, positionAfterLoading } from './event-positions.ts';
import { rowError } from './explain.ts';
import { keepContents, releaseContents } from './files.ts';
import type { TableHead, Trailer } from './format.ts';
import { lockTables } from './lock-tables.ts';
import { askerOf, pauseWorkers, prepareToCopy, type Ask } from './session.ts';
import { readBackup, type OnRead } from './read-backup.ts';

export interface Load {
  readonly url: string;
  readonly file: string;
  /** Replaces all data of the database. */
  readonly force: boolean;
  /** Why the workers are paused afterwards. */
  readonly reason: string;
  /** Called with the share of the file that was loaded. */
  readonly onRead?: OnRead;
  /** The audit entry to add to the loaded data. */
  readonly audit: Write;
  /** Runs while no worker works, before the transaction. */
  readonly prepare?: (() => Promise<unknown>) | undefined;
}

/** How long a later statement waits for what other transactions lock, such as a sequence. */
const LOCK_TIMEOUT_MS = 30_000;

/**
 * Loads a backup into a database with its schema, in one transaction. Workers are paused before it and
 * stay paused until an operator resumes them.
 */
export async function loadBackup(load: Load): Promise<Trailer> {
  const { url, file, reason, audit, prepare } = load;
  return withClient(url, async (client) => {
    const ask = askerOf(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK]);
    const resume = await pauseWorkers(ask, reason);
    const trailer = await within(client, { file, resume, prepare }, async () => {
      const loaded = await loadWithin(client, ask, load);
      await client.query(PAUSE_RESTORED, [reason]);
      await ask(audit.text, audit.values);
      return loaded;
    });
    // The first queries need statistics before autovacuum collects them.
    await client.query('analyze').catch(() => undefined);
    return trailer;
  });
}

async function within<R>(
  client: Client,
  { file, resume, prepare }: Pick<Load, 'file' | 'prepare'> & { resume(): Promise<unknown> },
  load: () => Promise<R>,
): Promise<R> {
  try {
    await prepare?.();
    await client.query('begin');
    const loaded = await load();
    await client.query('commit');
    return loaded;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    await resume().catch(() => undefined);
    throw rowError(file, error);
  }
}

async function loadWithin(
  client: Client,
  ask: Ask,
  { url, file, force, onRead }: Pick<Load, 'url' | 'file' | 'force' | 'onRead'>,
): Promise<Trailer> {
  const tables = await tablesOf(ask);
  const emptied = [...tables, ...(await changesTableOf(ask))];
  const names = emptied.map(({ table }) => quoted(table));
  await prepareToCopy(client);
  await lockTables(client, names);
  await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  if (!force) {
    await requireEmpty(ask, tables, databaseText(url));
  }
  await client.query('set constraints all deferred');
  await switchTriggers(client, tables, 'disable');
  await releaseContents(ask, tables);
  await client.query(`truncate ${names.join(', ')}`);
  await client.query(STAGE_JOBS);
  const trailer = await copyTables(client, tables, readBackup(file, { onRead }));
  for (const statement of [`truncate ${JOB_TABLES}`, ...QUEUE_STAGED_JOBS]) {
    await client.query(statement);
  }
  await restartSequences(ask, trailer);
  // Triggers cannot be enabled while deferred checks are pending.
  await checkConstraints(ask);
  await switchTriggers(client, tables, 'enable');
  await requireCounts(ask, tables, trailer);
  await keepContents(ask, tables);
  await forgetAll(ask);
  return trailer;
}

/** The triggers count and number rows, which the backup contains. The table owner may switch them. */
async function switchTriggers(
  client: Client,
  tables: readonly TableHead[],
  what: 'enable' | 'disable',
): Promise<void> {
  for (const { table } of tables) {
    await client.query(`alter table ${quoted(table)} ${what} trigger user`);
  }
}

/** Throws a Fault for other sequences than those of the schema: the checksum can be forged. */
async function restartSequences(ask: Ask, { sequences }: Trailer): Promise<void> {
  const names = (await sequencesOf(ask)).map(({ name }) => name);
  const given = new Set(sequences.map(({ name }) => name));
  if (given.size !== names.length || !names.every((name) => given.has(name))) {
    throw new Fault('VALIDATION_ERROR', 'the backup does not have the sequences of this schema');
  }
  for (const state of sequences) {
    const { name } = state;
    const next = name === EVENT_POSITIONS ? await positionAfterLoading(ask, state) : nextOf(state);
    await ask(`alter sequence ${quoted(name)} restart with ${next}`);
  }
}

async function requireCounts(
  ask: Ask,
  tables: readonly TableHead[],
  { rows }: Trailer,
): Promise<void> {
  const counts = tables.map(
    ({ table }) => `select '${table}' as table, count(*)::int as rows from ${quoted(table)}`,
  );
  counts.push(`select '${JOBS}', rows from (${COUNT_JOBS}) as jobs`);
  const found = await ask<{ table: string; rows: number }>(counts.join(' union all '));
  const wrong = found.find(({ table, rows: there }) => there !== (rows[table] ?? 0));
  if (wrong) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${wrong.table}: the backup names ${rows[wrong.table] ?? 0} rows, but ${wrong.rows} were restored; nothing was written`,
    );
  }
}

/** Empties the caches of running processes, and wakes the streams of the console, which then reload. */
const forgetAll = (ask: Ask) =>
  ask(`select pg_notify('frontdesk_changes', c.relname)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgfoid = 'announce_change'::regproc
    union all select pg_notify('frontdesk_changes', 'changes')`);

/** Migrations write this table, so it is never empty. */
const INSTALLATION = 'installation';

/** Throws a Fault unless the database, which the message calls `name`, is empty. */
export async function requireEmpty(
  ask: Ask,
  tables: readonly TableHead[],
  name: string,
): Promise<void> {
  const full: string[] = [];
  for (const { table } of tables) {
    if (table !== INSTALLATION) {
      const rows = await ask(`select from ${quoted(table)} limit 1`);
      full.push(...(rows.length > 0 ? [table] : []));
    }
  }
  if (full.length > 0) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the database ${name} is not empty (${full.slice(0, 3).join(', ')}${full.length > 3 ? ', …' : ''}); use an empty database, or --force to replace its data with the backup`,
    );
  }
}
