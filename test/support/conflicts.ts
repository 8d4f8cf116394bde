import type { Client, Pool } from 'pg';

type Asking = Pick<Pool | Client, 'query'>;

/**
 * Makes the next statements that match lose a deadlock (40P01). `when` is SQL over `old`, `new`,
 * `tg_op` and `current_query()`. Sequences count outside of transactions, so that the injections count
 * although each rolls its statement back.
 */
export async function injectConflicts(
  sql: Asking,
  { table, on, times, when = 'true' }: Injection,
): Promise<{ left(): Promise<number> }> {
  const name = `conflicts_${crypto.randomUUID().replaceAll('-', '')}`;
  await sql.query(`
    create sequence ${name} start 1;
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if (${when}) and (select not is_called or last_value < ${times} from ${name}) then
        perform nextval('${name}');
        raise exception 'deadlock detected' using errcode = '40P01';
      end if;
      return case tg_op when 'DELETE' then old else new end;
    end $$;
    create trigger ${name} before ${on} on ${table} for each row execute function ${name}();`);
  return {
    async left() {
      const { rows } = await sql.query<{ left: number }>(
        // Two statements at once may both pass the check: one conflict more than asked for.
        `select greatest(0, ${times} - case when is_called then last_value else 0 end) as left
         from ${name}`,
      );
      return Number(rows[0]?.left);
    },
  };
}

interface Injection {
  readonly table: string;
  readonly on: 'insert' | 'update' | 'delete';
  readonly times: number;
  readonly when?: string;
}
