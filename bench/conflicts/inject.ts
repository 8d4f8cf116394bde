import type { Client } from 'pg';

/** The statements of the queue, by their effect on a row of its table. */
const STATEMENTS = ['publish', 'wake', 'add', 'claim', 'complete', 'fail', 'other'] as const;
type Statement = (typeof STATEMENTS)[number];

/**
 * Makes one statement of each kind lose a deadlock (40P01) every second. Sequences are not rolled
 * back with the statement: one stores the second of the last injection, one counts them.
 */
export async function injectEverySecond(sql: Client): Promise<{
  counts(): Promise<Readonly<Record<Statement, number>>>;
  stop(): Promise<void>;
}> {
  for (const name of STATEMENTS) {
    await sql.query(`create sequence conflict_${name}_at; create sequence conflict_${name}_count`);
  }
  await sql.query(INJECT);
  return {
    async counts() {
      const { rows } = await sql.query(`select ${COUNTS}`);
      return rows[0];
    },
    async stop() {
      await sql.query('drop trigger inject_conflicts on graphile_worker._private_jobs');
    },
  };
}

const COUNTS = STATEMENTS.map(
  (name) =>
    `(select case when is_called then last_value else 0 end from conflict_${name}_count)::int as "${name}"`,
).join(', ');

const INJECT = `
  create function inject_conflicts() returns trigger language plpgsql as $$
  declare
    query text := current_query();
    second bigint := extract(epoch from clock_timestamp())::bigint;
    kind text := case
      when query like '%publish_events%' then 'publish'
      when query like '%wake_workflow_runs%' then 'wake'
      when tg_op = 'DELETE' then 'complete'
      when tg_op = 'INSERT' then 'add'
      when query like '%add_job%' or query like '%queue_jobs%' then 'add'
      when old.locked_at is null and new.locked_at is not null then 'claim'
      when new.last_error is distinct from old.last_error then 'fail'
      else 'other'
    end;
    last bigint;
  begin
    execute format('select last_value from conflict_%s_at', kind) into last;
    if last < second then
      perform setval(format('conflict_%s_at', kind)::regclass, second);
      perform nextval(format('conflict_%s_count', kind)::regclass);
      raise exception 'deadlock detected' using errcode = '40P01';
    end if;
    return case tg_op when 'DELETE' then old else new end;
  end $$;
  create trigger inject_conflicts before insert or update or delete
    on graphile_worker._private_jobs for each row execute function inject_conflicts()`;
