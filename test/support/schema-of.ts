import type { Client } from 'pg';

/** Returns a line for each object of the schema, to compare schemas. */
export async function schemaOf(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(SCHEMA);
  return rows.map(({ line }) => line).filter((line) => !IS_SHARD.test(line));
}

/** A shard that the coordinator of a cluster has, by the number in its name. */
const IS_SHARD = /_\d{6}\b/;

const SCHEMA = `
  with ours as (
    select oid, relname, relkind, relpersistence from pg_class
    where relnamespace = 'public'::regnamespace
  )
  select concat_ws(' ', 'table', relname, relkind, relpersistence) as line from ours
  union all
  select concat_ws(' ', 'column', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
    a.attnotnull, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid))
  from ours c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.relkind = 'r'
  union all
  select concat_ws(' ', 'constraint', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
  from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contype <> 'n'
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid)
  from pg_index i join ours c on c.oid = i.indrelid
  union all
  select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled)
  from pg_trigger t join ours c on c.oid = t.tgrelid where not t.tgisinternal
  union all
  select concat_ws(' ', 'function', pg_get_functiondef(p.oid))
  from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and not exists (
    select from pg_depend d where d.objid = p.oid and d.deptype = 'e'
  )
  union all
  select concat_ws(' ', 'queue', id) from graphile_worker.migrations
  union all
  select concat_ws(' ', 'step', name) from migrations
  order by 1`;
