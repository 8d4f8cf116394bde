import { Client, type Pool } from 'pg';
import { inject } from 'vitest';
import { urlOf } from './urls.ts';

type Asking = Pick<Pool | Client, 'query'>;

/**
 * Makes the next statements that match lose a deadlock (40P01). `when` is SQL over `old`, `new`,
 * `tg_op` and `current_query()`. Sequences count outside of transactions, so that the injections count
 * although each rolls its statement back. On a cluster, triggers run where their rows are, so each node
 * has a sequence.
 */
export async function injectConflicts(
  sql: Asking,
  { table, on, times, when = 'true' }: Injection,
): Promise<{ left(): Promise<number> }> {
  const name = `conflicts_${crypto.randomUUID().replaceAll('-', '')}`;
  const onNodes = await nodesOf(sql);
  await sql.query(`create sequence ${name} start 1`);
  await onNodes(`create sequence ${name} start 1`);
  await sql.query(`create function ${name}() returns trigger language plpgsql as $$
    begin
      if (${when}) and (select not is_called or last_value < ${times} from ${name}) then
        perform nextval('${name}');
        raise exception 'deadlock detected' using errcode = '40P01';
      end if;
      return case tg_op when 'DELETE' then old else new end;
    end $$`);
  await sql.query(
    `create trigger ${name} before ${on} on ${table} for each row execute function ${name}()`,
  );
  const injected = `select case when is_called then last_value else 0 end as n from ${name}`;
  return {
    async left() {
      const { rows } = await sql.query<{ n: number }>(injected);
      const counts = [...rows, ...(await onNodes(injected))].map(({ n }) => n);
      // Two statements at once may both pass the check: one conflict more than asked for.
      return Math.max(0, times - counts.reduce((sum, n) => sum + n, 0));
    },
  };
}

/** Returns what runs a statement on every node of a cluster, and returns all rows. */
async function nodesOf(sql: Asking): Promise<(statement: string) => Promise<{ n: number }[]>> {
  const { rows } = await sql.query<{ name: string }>('select current_database() as name');
  const urls = inject('nodeUrls').map((url) => urlOf(url, rows[0]?.name ?? ''));
  return async (statement) => {
    const found = await Promise.all(
      urls.map(async (connectionString) => {
        const node = new Client({ connectionString });
        await node.connect();
        try {
          return (await node.query<{ n: number }>(statement)).rows;
        } finally {
          await node.end();
        }
      }),
    );
    return found.flat();
  };
}

interface Injection {
  readonly table: string;
  readonly on: 'insert' | 'update' | 'delete';
  readonly times: number;
  readonly when?: string;
}
