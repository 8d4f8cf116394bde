import { STAGE_JOBS, QUEUE_STAGED_JOBS } from '#platform/queue/private-tables.ts';
import type { Client } from 'pg';
import { listOf, ownerOf, OWNERS, quoted, sequencesOf, type Ask } from '../catalogue.ts';
import { copyTables } from '../copy.ts';
import { Altered } from '../explain.ts';
import type { SequenceState, TableHead, Trailer } from '../format.ts';
import type { Pieces } from '../read-backup.ts';

/** What triggers write while rows come in, and the file has as it is to be. */
const TALLIES = 'tallies';

/** Moves rows from where they waited to where they belong, and queues their jobs. */
export async function insertIncoming(
  ask: Ask,
  tables: readonly TableHead[],
  subAccountId: string,
): Promise<void> {
  for (const head of tables.filter(({ table }) => table !== TALLIES)) {
    await ask(insertOf(head));
  }
  await ask(`delete from ${TALLIES} where sub_account_id = $1`, [subAccountId]);
  for (const head of tables.filter(({ table }) => table === TALLIES)) {
    await ask(insertOf(head));
  }
  for (const statement of QUEUE_STAGED_JOBS) {
    await ask(statement);
  }
  await ask('set constraints all immediate');
}

/** The row of a sub-account that is replaced stays, for whoever writes meanwhile refers to it. */
const insertOf = ({ table, columns }: TableHead): string => {
  const changes = columns.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ');
  return `insert into ${quoted(table)} (${listOf(columns)})
    select ${listOf(columns)} from ${incoming(table)}
    ${table === OWNERS ? `on conflict (${ownerOf(table)}) do update set ${changes}` : ''}`;
};

/** So much no installation counts, and numbers have twice that again before they lose their ones. */
const COUNTED_MAX = 2n ** 50n;

/** Of whoever gives events their positions (`publish_events`). */
const PUBLISHING_LOCK = 5_771_003;

/**
 * Lets sequences go on behind the greater of what they and the file have reached: places in the order
 * of events stay as they are, and what happens next comes after them. Never undone, and harmless.
 */
export async function raiseSequences(ask: Ask, states: readonly SequenceState[]): Promise<void> {
  await ask('select pg_advisory_xact_lock($1)', [PUBLISHING_LOCK]);
  const known = new Map((await sequencesOf(ask)).map((state) => [state.name, nextOf(state)]));
  for (const state of states) {
    const ours = known.get(state.name);
    const next = nextOf(state);
    if (ours === undefined || next > COUNTED_MAX) {
      throw new Altered();
    }
    if (next > ours) {
      await ask('select setval($1::regclass, $2::bigint, false)', [quoted(state.name), `${next}`]);
    }
  }
}

const nextOf = ({ value, isCalled }: SequenceState): bigint => BigInt(value) + (isCalled ? 1n : 0n);

/** Nothing has a place that was not given yet. */
export async function requireCounted(ask: Ask, states: readonly SequenceState[]): Promise<void> {
  const positions = states.find(({ name }) => name === 'event_positions');
  const [ahead] = await ask(
    `select from ${incoming('events')} where position >= $1::bigint limit 1`,
    [`${positions ? nextOf(positions) : 0}`],
  );
  if (ahead) {
    throw new Altered();
  }
}

/** Where the rows of a table wait before they are looked at: `incoming_contacts`. */
export const incoming = (table: string): string => quoted(`incoming_${table}`);

/** Reads a file into tables of this session alone, which take whatever stands in it. */
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

/** A checksum can be made by anybody: no row of the file may be another's than its head says. */
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
