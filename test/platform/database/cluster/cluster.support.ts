import { Client } from 'pg';

/** The id of records that a test adds. */
export const UUID = '0190a000-0000-7000-8000-000000000001';

/** Where each table is: `distributed`, `reference` or `coordinator`. */
export async function placementIn(client: Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await client.query<{ table: string; kind: string }>(`
    select c.relname as table, case when p.partmethod = 'h' then 'distributed'
      when p.repmodel = 't' then 'reference' else 'coordinator' end as kind
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`);
  return Object.fromEntries(rows.map(({ table, kind }) => [table, kind]));
}

export async function withClient<R>(url: string, use: (client: Client) => Promise<R>): Promise<R> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const REQUIRED = `
  select a.attname as name, format_type(a.atttypid, null) as type from pg_attribute a
  where a.attrelid = $1::regclass and a.attnum > 0 and a.attnotnull and not a.atthasdef
  order by a.attnum`;

/** Inserts a row whose required columns are empty but for the given ones. */
export async function add(client: Client, table: string, given: Readonly<Record<string, unknown>>) {
  const { rows } = await client.query<{ name: string; type: string }>(REQUIRED, [table]);
  const missing = rows.filter(({ name }) => !(name in given));
  const values = missing.map(({ type }) =>
    type.startsWith('timestamp')
      ? new Date()
      : type === 'boolean'
        ? false
        : type === 'uuid'
          ? UUID
          : 'x',
  );
  const columns = [...missing.map(({ name }) => name), ...Object.keys(given)];
  const places = columns.map((_, at) => `$${at + 1}`);
  await client.query(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`, [
    ...values,
    ...Object.values(given),
  ]);
}
