import { Client } from 'pg';
import { inject, vi } from 'vitest';
import { newId } from '#lib/id.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import type { Service } from '../../src/commands/server/open-service.ts';
import { OPERATOR } from './service.ts';

/**
 * Plans depend on statistics: PostgreSQL expects one row of a sub-account that was created after the last
 * ANALYZE, and may then compare all of its rows with each other. Such tests fill a sub-account with
 * `ESTABLISHED` rows, run `analyze`, and compare what a statement reads in new ones of `FEW` and `MANY` rows.
 */
export const [ESTABLISHED, FEW, MANY] = [5_000, 100, 2_000];

/** What a statement may read in a sub-account of `MANY` rows if it reads all rows once. */
export const linear = (few: number): number => 2 * (MANY / FEW) * few;

/** A plan of a cluster's coordinator does not count what nodes read. */
export const countsReads = inject('nodeUrls').length === 0;

type Installation = Pick<Service, 'database' | 'transact'>;

export async function addSubAccount({ transact }: Installation): Promise<string> {
  const id = newId(new Date());
  await transact(id, OPERATOR, (work) => createSubAccount(work, { name: 'Harbour Dental' }));
  return id;
}

/** Adds contacts named A B; `columns` maps further columns to SQL, in which `n` counts from 1. */
export async function addContacts(
  { database }: Installation,
  { subAccountId, rows, columns = {} }: ContactsToAdd,
): Promise<void> {
  const names = Object.keys(columns).map((name) => `, ${name}`);
  const values = Object.values(columns).map((value) => `, ${value}`);
  await database.rows(
    `insert into contacts (sub_account_id, id, first_name, last_name, lifecycle_stage, tags,
        created_at, updated_at${names.join('')})
      select $1, gen_random_uuid(), 'A', 'B', 'lead', '{}', now(), now()${values.join('')}
      from generate_series(1, $2::int) as n`,
    [subAccountId, rows],
  );
}

interface ContactsToAdd {
  readonly subAccountId: string;
  readonly rows: number;
  readonly columns?: Readonly<Record<string, string>>;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the pages and rows that statements read, at all nodes of their plans. Their changes are rolled back. */
export async function readsOf(
  { database }: Installation,
  statements: readonly Statement[],
): Promise<number> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local plan_cache_mode = force_custom_plan');
    let reads = 0;
    for (const { text, values } of statements) {
      const explain = `explain (analyze, buffers, timing off, format json) ${text}`;
      const { rows } = await client.query(explain, [...values]);
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      reads += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0) + rowsOf(plan);
    }
    return reads;
  } finally {
    client.release(true);
  }
}

/** Rows are counted, too: a join of rows that are in memory reads no pages. */
function rowsOf(plan: any): number {
  const columns = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Join Filter'];
  const rows = columns.reduce((sum, column) => sum + (plan[column] ?? 0), 0);
  const below = (plan.Plans ?? []).reduce((sum: number, one: any) => sum + rowsOf(one), 0);
  return rows * (plan['Actual Loops'] ?? 0) + below;
}

/** Returns the selects, inserts, updates and deletes that this process sends while `act` runs. */
export async function statementsOf(act: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const { query } = Client.prototype;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function record(
    this: Client,
    ...given: any[]
  ) {
    const [first, second] = given;
    const text: string = typeof first === 'string' ? first : first.text;
    sent.push({ text, values: (Array.isArray(second) ? second : first.values) ?? [] });
    return Reflect.apply(query, this, given);
  } as never);
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return sent.filter(({ text }) => IS_PLANNED.test(text));
}

const IS_PLANNED = /^\s*(?:select|with|insert|update|delete)\b/i;
