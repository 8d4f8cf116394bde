import type { Client } from 'pg';
import { CLUSTER_FUNCTIONS } from './cluster-functions.ts';
import { IS_DISTRIBUTED, isCluster, rowsOf, undistributedTables } from './nodes.ts';
import { DISTRIBUTION_COLUMN, FUNCTIONS_OF_NODES, REFERENCE_TABLES } from './table-placement.ts';

/** By size on disk, as Citus does itself, but for sub-accounts that were placed. */
const SET_REBALANCING = `do $$ begin
  if not exists (select from pg_dist_rebalance_strategy where name = 'frontdesk') then
    perform citus_add_rebalance_strategy('frontdesk', 'citus_shard_cost_by_disk_size',
      'citus_node_capacity_1', 'keep_placed_sub_accounts', 0.1, 0.01, 0.5);
    perform citus_set_default_rebalance_strategy('frontdesk');
  end if;
end $$`;

/** Holds what is dropped before tables are distributed until it is created again. */
const DROPPED = 'distribution_dropped';

/** Called with each finished step and the share of all steps. */
type OnDistributed = (step: string, share: number) => void;

/**
 * Distributes the tables of sub-accounts over the nodes if the database has the extension `citus`.
 * Foreign keys and triggers are dropped before and created again afterwards. Every step is a transaction of its own
 * and is skipped if it was done, so a killed run is continued by the next. Returns the steps done now.
 */
export async function distributeTables(
  client: Client,
  onDistributed: OnDistributed = () => undefined,
): Promise<string[]> {
  if (!(await isCluster(rowsOf(client)))) {
    return [];
  }
  await configureNodes(client);
  for (const statement of CLUSTER_FUNCTIONS) {
    await client.query(statement);
  }
  await makeMovable(client);
  await dropKeysAndTriggers(client);
  const steps = await undistributedTables(rowsOf(client));
  const dropped = await droppedParts(client);
  const done: string[] = [];
  const finish = (step: string) => {
    done.push(step);
    onDistributed(step, done.length / (steps.length + dropped.length));
  };
  for (const { kind, table } of steps) {
    await inTransaction(client, async () => {
      await (kind === 'reference'
        ? client.query('select create_reference_table($1)', [table])
        : client.query('select create_distributed_table($1, $2)', [table, DISTRIBUTION_COLUMN]));
      // Citus hides the rows that it copied, but keeps them on the coordinator's disk.
      await client.query('select truncate_local_data_after_distributing_table($1)', [table]);
    });
    finish(table);
  }
  for (const part of dropped) {
    await createAgain(client, part);
    finish(part.name);
  }
  await client.query(`drop table if exists ${DROPPED}`);
  await distributeFunctions(client);
  await client.query(SET_REBALANCING);
  return done;
}

/**
 * Triggers run on the nodes and change rows of the same sub-account there, which Citus must be told
 * to accept. It plans some statements only with their values. After a statement that used several
 * connections to a node, it refuses to change a table that every node has.
 */
const SETTINGS = [
  'citus.enable_unsafe_triggers = on',
  'citus.allow_nested_distributed_execution = on',
  'plan_cache_mode = force_custom_plan',
  'citus.multi_shard_modify_mode = sequential',
];

/** Applies the settings to this connection, and to all later ones of every node. */
export async function configureNodes(client: Pick<Client, 'query'>): Promise<void> {
  for (const setting of SETTINGS) {
    await client.query(`set ${setting}`);
    const { rows } = await client.query<{ success: boolean; result: string }>(
      'select success, result from run_command_on_all_nodes($1)',
      [setForDatabase(setting)],
    );
    const refused = rows.find(({ success }) => !success);
    if (refused) {
      throw new Error(`a node refused to set ${setting}: ${refused.result}`);
    }
  }
}

/** Each node sets it for itself: Citus repeats it only for a database that is not a copy. */
const setForDatabase = (setting: string): string => `do $do$ begin
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  execute format('alter database %I set ${setting}', current_database());
end $do$`;

/**
 * A shard is copied to another node by logical replication, which needs logged tables, and a way to
 * identify rows.
 */
async function makeMovable(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(UNMOVABLE, [DISTRIBUTION_COLUMN]);
  for (const { statement } of rows) {
    await client.query(statement);
  }
}

const UNMOVABLE = `
  with ours as (
    select c.* from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = $1 and a.attnotnull
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  )
  select format('alter table %I set logged', relname) as statement
  from ours where relpersistence = 'u'
  union all
  select format('alter table %I replica identity full', relname)
  from ours where relreplident <> 'f'
    and not exists (select from pg_index i where i.indrelid = ours.oid and i.indisprimary)
  order by 1`;

/**
 * Citus distributes no table that refers to, or is referred to by, a table that is not distributed.
 * Triggers would fire for each row that is copied to a node.
 */
async function dropKeysAndTriggers(client: Client): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`create table if not exists ${DROPPED} (
      place bigint generated always as identity, kind text, relation text, name text,
      creation text not null, primary key (relation, name))`);
    for (const save of [SAVE_CLEARING, SAVE_KEYS, SAVE_TRIGGERS]) {
      const { rows } = await client.query<DroppedPart>(save, [
        [...REFERENCE_TABLES.keys()],
        DISTRIBUTION_COLUMN,
      ]);
      for (const { kind, relation, name } of rows) {
        await client.query(
          kind === 'key'
            ? `alter table ${relation} drop constraint ${name}`
            : `drop trigger if exists ${name} on ${relation}`,
        );
      }
    }
  });
}

interface DroppedPart {
  readonly kind: 'key' | 'trigger';
  readonly relation: string;
  readonly name: string;
  readonly creation: string;
}

const UNDISTRIBUTED = `undistributed as (
    select c.oid from pg_class c
    left join pg_attribute a on a.attrelid = c.oid and a.attname = $2 and a.attnotnull
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and (c.relname = any($1) or a.attname is not null) and not ${IS_DISTRIBUTED}
  )`;

const KEYS_OF_UNDISTRIBUTED = `pg_constraint k
  where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    and (k.conrelid in (select oid from undistributed) or k.confrelid in (select oid from undistributed))`;

const INSERT_DROPPED = `insert into ${DROPPED} (kind, relation, name, creation)`;

/**
 * A trigger for each key that clears columns when the row that it refers to is deleted: Citus refuses
 * `ON DELETE SET NULL (column)`. Read before the keys are dropped.
 */
const SAVE_CLEARING = `
  with ${UNDISTRIBUTED}
  ${INSERT_DROPPED}
  select 'trigger', k.confrelid::regclass::text, quote_ident(k.conname || '_clear'), format(
    'create trigger %I before delete on %s for each row execute function clear_references(%L, %L, %L)',
    k.conname || '_clear', k.confrelid::regclass, k.conrelid::regclass, (
      select string_agg(format('%I = null', attname), ', ') from unnest(k.confdelsetcols) as n
      join pg_attribute on attrelid = k.conrelid and attnum = n
    ), (
      select json_object_agg(mine.attname, theirs.attname)
      from unnest(k.conkey, k.confkey) as pair (my, their)
      join pg_attribute mine on mine.attrelid = k.conrelid and mine.attnum = my
      join pg_attribute theirs on theirs.attrelid = k.confrelid and theirs.attnum = their
    ))
  from ${KEYS_OF_UNDISTRIBUTED} and k.confdeltype = 'n'
  on conflict do nothing
  returning kind, relation, name`;

const SAVE_KEYS = `
  with ${UNDISTRIBUTED}
  ${INSERT_DROPPED}
  select 'key', k.conrelid::regclass::text, quote_ident(k.conname), format(
    'alter table %s add constraint %I %s', k.conrelid::regclass, k.conname,
    regexp_replace(pg_get_constraintdef(k.oid), ' ON DELETE SET NULL \\([^)]*\\)', ''))
  from ${KEYS_OF_UNDISTRIBUTED}
  on conflict do nothing
  returning kind, relation, name`;

const SAVE_TRIGGERS = `
  with ${UNDISTRIBUTED}
  ${INSERT_DROPPED}
  select 'trigger', t.tgrelid::regclass::text, quote_ident(t.tgname), pg_get_triggerdef(t.oid)
  from pg_trigger t
  where t.tgrelid in (select oid from undistributed) and not t.tgisinternal
  on conflict do nothing
  returning kind, relation, name`;

async function droppedParts(client: Client): Promise<DroppedPart[]> {
  const { rows } = await client.query<DroppedPart>(`select * from ${DROPPED} order by kind, place`);
  return rows;
}

async function createAgain(client: Client, part: DroppedPart): Promise<void> {
  const { kind, relation, name, creation } = part;
  const found = await client.query(kind === 'key' ? FIND_KEY : FIND_TRIGGER, [relation, name]);
  // A run that was killed here had created it, but not forgotten it.
  if (found.rows.length === 0) {
    await client.query(creation);
  }
  await client.query(`delete from ${DROPPED} where relation = $1 and name = $2`, [relation, name]);
}

const FIND_KEY = `select from pg_constraint
  where conrelid = $1::regclass and quote_ident(conname) = $2`;
const FIND_TRIGGER = `select from pg_trigger
  where tgrelid = $1::regclass and quote_ident(tgname) = $2`;

/** Triggers and statements call functions on the nodes. */
async function distributeFunctions(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(UNDISTRIBUTED_FUNCTIONS);
  for (const { name } of rows) {
    await client.query('select create_distributed_function($1::regprocedure)', [name]);
  }
  const delegated = await client.query<{ name: string }>(UNDELEGATED_FUNCTIONS, [
    FUNCTIONS_OF_NODES,
  ]);
  for (const { name } of delegated.rows) {
    await client.query(
      `select create_distributed_function($1::regprocedure, '$1', colocate_with => $2)`,
      [name, COLOCATED],
    );
  }
}

/** Any table of sub-accounts: all of them are colocated. */
const COLOCATED = 'contacts';

const UNDELEGATED_FUNCTIONS = `
  select p.oid::regprocedure::text as name from pg_proc p
  join pg_catalog.pg_dist_object o on o.classid = 'pg_proc'::regclass and o.objid = p.oid
  where p.pronamespace = 'public'::regnamespace and p.proname = any($1)
    and o.distribution_argument_index is null
  order by 1`;

/** Our functions but those that call the queue, which the coordinator has alone. */
const UNDISTRIBUTED_FUNCTIONS = `
  select p.oid::regprocedure::text as name from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prosrc not like '%graphile_worker%'
    and not exists (select from pg_depend d
      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    and not exists (select from pg_catalog.pg_dist_object o
      where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  order by 1`;

async function inTransaction(client: Client, act: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await act();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
