import type { Client } from 'pg';

/** A loaded sub-account, and the header line that opens it. */
export interface SubAccount {
  readonly id: string;
  readonly authorization: string;
}

export interface Loaded {
  readonly rows: number;
  readonly secretKey: string;
  readonly small: SubAccount;
  readonly spare: SubAccount;
  readonly large: SubAccount;
}

/** Returns what an earlier run loaded into this database, if it has that size. */
export async function keptGround(sql: Client, rows: number): Promise<Loaded | undefined> {
  const { rows: tables } = await sql.query(
    `select 1 from pg_tables where schemaname = 'public' and tablename = 'bench_ground'`,
  );
  if (tables.length === 0) {
    return undefined;
  }
  const { rows: found } = await sql.query<{ loaded: Loaded }>('select loaded from bench_ground');
  if (found[0]?.loaded.rows !== rows) {
    throw new Error('the folder holds a benchmark database of another size; name another folder');
  }
  return found[0].loaded;
}

/** Stores what was loaded, and the counters that the bare list reads. */
export async function fileGround(sql: Client, loaded: Loaded): Promise<Loaded> {
  await sql.query('create table bench_totals (sub_account_id uuid primary key, total bigint)');
  await sql.query(
    'insert into bench_totals select sub_account_id, count(*) from contacts group by 1',
  );
  await sql.query('create table bench_ground (loaded jsonb)');
  await sql.query('insert into bench_ground values ($1)', [loaded]);
  await sql.query('vacuum (analyze) bench_totals');
  return loaded;
}
