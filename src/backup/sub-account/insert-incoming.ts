import { STAGE_JOBS, QUEUE_STAGED_JOBS } from '#platform/queue/private-tables.ts';
import { checkConstraints } from '#platform/database/check-constraints.ts';
import type { Client } from 'pg';
import { listOf, ownerOf, OWNERS, quoted, sequencesOf } from '../catalogue.ts';
import { copyTables } from '../copy.ts';
import { EVENT_POSITIONS, nextOf, POSITION_MAX, positionAfterLoading } from '../event-positions.ts';
import { Altered } from '../explain.ts';
import type { SequenceState, TableHead, Trailer } from '../format.ts';
import type { Pieces } from '../read-backup.ts';
import type { Ask } from '../session.ts';

/** Counts that triggers write while rows are inserted; the file contains the right ones. */
const COUNTS_TABLE = 'tallies';

/** Inserts the staged rows and queues the staged jobs. */
export async function insertIncoming(
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  for (const head of tables.filter(({ table }) => table !== COUNTS_TABLE)) {
    await ask(insertOf(head));
  }
  await ask(`delete from ${COUNTS_TABLE} where sub_account_id = $1`, [subAccountId]);
  for (const head of tables.filter(({ table }) => table === COUNTS_TABLE)) {
    await ask(insertOf(head));
  }
  for (const statement of QUEUE_STAGED_JOBS) {
    await ask(statement);
  }
  await checkConstraints(ask);
}

/** A replaced sub-account keeps its row: transactions that write meanwhile refer to it. */
const insertOf = ({ table, columns }: TableHead): string => {
  const changes = columns.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ');
  return `insert into ${quoted(table)} (${listOf(columns)})
    select ${listOf(columns)} from ${incoming(table)}
    ${table === OWNERS ? `on conflict (${ownerOf(table)}) do update set ${changes}` : ''}`;
};

/** The advisory lock of `publish_events`, which gives events their positions. */
const PUBLISHING_LOCK = 5_771_003;

/**
 * Raises sequences to those of the file, and that of events beyond the cursors of all readers. A rollback
 * does not undo it, which is harmless.
 */
export async function raiseSequences(ask: Ask, states: readonly SequenceState[]): Promise<void> {
  await ask('select pg_advisory_xact_lock($1)', [PUBLISHING_LOCK]);
  const known = new Map((await sequencesOf(ask)).map((state) => [state.name, nextOf(state)]));
  for (const state of states) {
    const { name } = state;
    const next = name === EVENT_POSITIONS ? await positionAfterLoading(ask, state) : nextOf(state);
    if (next > (known.get(name) ?? next)) {
      await ask('select setval($1::regclass, $2::bigint, false)', [quoted(name), `${next}`]);
    }
  }
}

/**
 * Throws Altered if a sequence is unknown or beyond what an installation can reach, or an event has a
 * position beyond its sequence.
 */
export async function requireKnownPositions(
  ask: Ask,
  states: readonly SequenceState[],
): Promise<void> {
  const names = new Set((await sequencesOf(ask)).map(({ name }) => name));
  const [bound] = await ask<{ max: string }>(POSITION_MAX);
  const max = BigInt(bound?.max ?? 0);
  if (states.some((state) => !names.has(state.name) || nextOf(state) > max)) {
    throw new Altered();
  }
  const positions = states.find(({ name }) => name === EVENT_POSITIONS);
  const [ahead] = await ask(
    `select from ${incoming('events')} where position >= $1::bigint limit 1`,
    [`${positions ? nextOf(positions) : 0}`],
  );
  if (ahead) {
    throw new Altered();
  }
}

/** The temporary table of the rows of a table: `incoming_contacts`. */
export const incoming = (table: string): string => quoted(`incoming_${table}`);

/** Reads a file into temporary tables without constraints. */
export async function stageTables(
  client: Client,
  tables: readonly TableHead[],
  pieces: Pieces,
): Promise<Trailer> {
  for (const { table, columns } of tables) {
    await client.query(
      `create temporary table ${incoming(table)} on commit drop as
       select ${listOf(columns)} from ${quoted(table)} with no data`,
    );
  }
  await client.query(STAGE_JOBS);
  const trailer = await copyTables(client, tables, pieces, incoming);
  for (const { table } of tables) {
    await client.query(`analyze ${incoming(table)}`);
  }
  return trailer;
}

/** Throws Altered if a row belongs to another sub-account than the header names: checksums can be forged. */
export async function requireOwn(
  client: Client,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  const foreign = tables.map(
    ({ table }) =>
      `exists (select from ${incoming(table)} where ${ownerOf(table)} is distinct from $1::uuid)`,
  );
  const { rows } = await client.query<{ isOwn: boolean }>(
    `select not (${foreign.join(' or ')})
       and not exists (select from staged_jobs
         where (payload ->> 'subAccountId') is distinct from $1::uuid::text)
       and (select count(*) from ${incoming(OWNERS)}) = 1 as "isOwn"`,
    [subAccountId],
  );
  if (!rows[0]?.isOwn) {
    throw new Altered();
  }
}

interface Limited {
  readonly table: string;
  readonly column: string;
  readonly isTime: boolean;
}

/**
 * Throws Altered if a row has a time that no clock shows, or a number that JSON cannot hold: the lists of
 * all sub-accounts could not be read any more.
 */
export async function requireFinite(ask: Ask, tables: readonly TableHead[]): Promise<void> {
  const names = tables.map(({ table }) => table);
  const limited = await ask<Limited>(LIMITED, [names]);
  for (const { table } of tables) {
    const checks = limited.filter((one) => one.table === table).map(refusalOf);
    const [wrong] =
      checks.length === 0
        ? []
        : await ask(`select from ${incoming(table)} where ${checks.join(' or ')} limit 1`);
    if (wrong) {
      throw new Altered();
    }
  }
}

/** Years of four digits, as ISO 8601 writes them, in any time zone; `infinity` lies outside. */
const refusalOf = ({ column, isTime }: Limited): string =>
  isTime
    ? `${quoted(column)} not between '0001-01-01' and '10000-01-02'`
    : `${quoted(column)}::text in ('NaN', 'Infinity', '-Infinity')`;

const LIMITED = `
  select c.relname as table, a.attname as column, t.typname in ('timestamptz', 'timestamp', 'date') as "isTime"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relname = any($1)
    and t.typname in ('timestamptz', 'timestamp', 'date', 'numeric', 'float4', 'float8')`;
