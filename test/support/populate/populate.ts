import type { Client } from 'pg';
import { newId } from '#lib/id.ts';
import type { Secrets } from '#core/secrets.ts';
import { newKeyValue } from '../../../src/accounts/keys/key-value.ts';
import { tablesToFill, type Column, type Table } from './columns.ts';
import { valueOf, type Filling, type Row } from './values.ts';

/** A full row and, if the schema allows two, one with required columns only. */
const ROWS = [0, 1];
const CHECK_VIOLATION = '23514';
const UNIQUE_VIOLATION = '23505';

export interface Populated {
  readonly subAccountId: string;
  readonly key: string;
}

/**
 * Inserts rows of a new sub-account into every table of any schema, with its jobs. Throws if a
 * table stays empty, so that no table can be forgotten.
 */
export async function populate(
  client: Client,
  secrets: Secrets,
  key = newKeyValue('live').key,
  now = new Date(),
): Promise<Populated> {
  const filling: Filling = { subAccountId: newId(now), secrets, key, now };
  const rows = new Map<string, Row[]>();
  await client.query('begin');
  rows.set('users', await addUsers(client, now));
  for (const table of await tablesToFill(client)) {
    const made: Row[] = [];
    rows.set(table.name, made);
    for (const number of ROWS) {
      const row = await fill(client, table, number, rows, filling);
      made.push(...(row ? [row] : []));
    }
    if (made.length === 0) {
      throw new Error(`cannot create a row of ${table.name}`);
    }
  }
  if (rows.has('events')) {
    await client.query(PLACED);
  }
  await client.query('commit');
  // On a cluster the queue's notice cannot be part of a transaction over several nodes.
  await client.query(JOBS, [filling.subAccountId]);
  return { subAccountId: filling.subAccountId, key };
}

/** Users belong to the installation, and memberships refer to them; older schemas have none. */
async function addUsers(client: Client, now: Date): Promise<Row[]> {
  const found = await client.query(`select to_regclass('users') as name`);
  if (found.rows[0].name === null) {
    return [];
  }
  const users = ROWS.map(() => newId(now)).map((id) => ({ id, email: `user-${id}@example.org` }));
  for (const { id, email } of users) {
    await client.query(
      `insert into users (id, email, is_owner, created_at, updated_at) values ($1, $2, false, $3, $3)`,
      [id, email, now],
    );
  }
  return users;
}

/**
 * Changes columns of a row that break a check constraint. Returns undefined if a second row is not
 * possible.
 */
async function fill(
  client: Client,
  table: Table,
  number: number,
  rows: ReadonlyMap<string, readonly Row[]>,
  filling: Filling,
): Promise<Row | undefined> {
  const changed = new Set<string>();
  for (;;) {
    const row = rowOf(table, number, changed, rows, filling);
    await client.query('savepoint here');
    try {
      await insert(client, table, row);
      return row;
    } catch (error) {
      await client.query('rollback to savepoint here');
      const { code, message } = error as { code?: string; message: string };
      // The error of a node names the constraint in its message only.
      const broken = table.checks.find(({ name }) => message.includes(`"${name}"`));
      const nullable = namesOf(table.columns.filter(({ isNullable }) => isNullable));
      const more =
        broken?.columns.filter((name) => nullable.includes(name) && !changed.has(name)) ?? [];
      if (code === UNIQUE_VIOLATION && number > 0) {
        return undefined;
      }
      if (code !== CHECK_VIOLATION || more.length === 0) {
        throw error;
      }
      more.forEach((name) => changed.add(name));
    }
  }
}

function rowOf(
  table: Table,
  number: number,
  changed: ReadonlySet<string>,
  rows: ReadonlyMap<string, readonly Row[]>,
  filling: Filling,
): Row {
  const row: Record<string, unknown> = {};
  const isLeftOut = ({ name, isNullable }: Column) =>
    isNullable && name !== 'deleted_at' && number > 0 !== changed.has(name);
  for (const { to, columns, toColumns } of table.references) {
    const parents = rows.get(to) ?? [];
    const parent = parents[number] ?? parents.at(-1);
    const isAsked = table.columns.some(
      (column) => columns.includes(column.name) && !isLeftOut(column),
    );
    if (parent && isAsked) {
      columns.forEach((name, index) => (row[name] = parent[toColumns[index] ?? '']));
    }
  }
  for (const column of table.columns) {
    const { name } = column;
    if (name === 'sub_account_id') {
      row[name] = filling.subAccountId;
    } else if (isLeftOut(column)) {
      row[name] = null;
    } else if (row[name] === undefined) {
      row[name] = valueOf(table.name, column, number, row, filling);
    }
  }
  // A row with a reference to its own table refers to itself.
  for (const { columns, toColumns } of table.references.filter(({ to }) => to === table.name)) {
    columns.forEach((name, index) => {
      row[name] = row[name] === null ? null : row[toColumns[index] ?? ''];
    });
  }
  return row;
}

const insert = (client: Client, { name: table }: Table, row: Row) => {
  const names = Object.keys(row);
  return client.query(
    `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
     values (${names.map((_name, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
};

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name);

const PLACED = `select setval('event_positions',
  greatest((select max(position) from events), (select last_value from event_positions)))`;

/** A waiting job and a failed one. */
const JOBS = `
  select graphile_worker.add_job('tasks/remind', json_build_object('subAccountId', $1::text, 'taskId', id),
    run_at => now() + n * interval '1 day', job_key => 'tasks/remind:' || id)
  from (select n, gen_random_uuid() as id from generate_series(1, 2) as n) as task`;
