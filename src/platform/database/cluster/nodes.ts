import type { Client } from 'pg';
import { DISTRIBUTION_COLUMN, isUndistributed, REFERENCE_TABLES } from './table-placement.ts';

/** Runs a statement on the coordinator. */
export type Rows = <T extends object>(text: string, values?: readonly unknown[]) => Promise<T[]>;

export const rowsOf =
  (client: Pick<Client, 'query'>): Rows =>
  async (text, values) =>
    (await client.query(text, values as unknown[] | undefined)).rows;

/** A server of a cluster. */
export interface ClusterNode {
  /** `host:port`, as it was added to the cluster. */
  readonly address: string;
  readonly role: 'coordinator' | 'worker';
  /** `unavailable`: the coordinator cannot query it. `inactive`: an operator disabled it. */
  readonly state: 'ready' | 'unavailable' | 'inactive';
  /** Parts of sub-accounts: each has its rows of all distributed tables. */
  readonly shards: number;
  /** The size of its database in bytes; null while it is unavailable. */
  readonly bytes: number | null;
  /** The ids of sub-accounts that have a shard of their own here. */
  readonly subAccounts: readonly string[];
}

/** Returns whether the database is the coordinator of a cluster. */
export async function isCluster(rows: Rows): Promise<boolean> {
  const [row] = await rows<{ isThere: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as "isThere"`,
  );
  return row?.isThere === true;
}

/** Returns whether a cluster has tables of sub-accounts on its nodes. */
export async function hasDistributedTables(rows: Rows): Promise<boolean> {
  const [row] = await rows<{ isThere: boolean }>(
    `select exists (select from pg_dist_partition where partmethod = 'h') as "isThere"`,
  );
  return row?.isThere === true;
}

/** Returns the servers of the cluster, coordinator first, and what they store. */
export async function listNodes(rows: Rows): Promise<ClusterNode[]> {
  const nodes = await rows<Member>(MEMBERS);
  const placed = await rows<Placed>(PLACED);
  const sizes = await rows<Size>(SIZES);
  return nodes.map(({ id, groupId, address, role, isActive, shards }) => {
    const bytes = sizes.find((size) => size.id === id)?.bytes ?? null;
    return {
      address,
      role,
      state: isActive ? (bytes === null ? 'unavailable' : 'ready') : 'inactive',
      shards,
      bytes,
      subAccounts: placed.filter((one) => one.groupId === groupId).map((one) => one.id),
    };
  });
}

/** Whether the data of a cluster is where it belongs. */
export interface ClusterState {
  readonly nodes: readonly ClusterNode[];
  /** Tables that `frontdesk migrate` has not distributed yet. */
  readonly undistributed: readonly string[];
  /** Shards that the rebalancer would move; null while a node is unavailable. */
  readonly misplacedShards: number | null;
}

/** Returns the state of the cluster; undefined if the database is one PostgreSQL. */
export async function readClusterState(rows: Rows): Promise<ClusterState | undefined> {
  if (!(await isCluster(rows))) {
    return undefined;
  }
  const nodes = await listNodes(rows);
  const undistributed = (await undistributedTables(rows)).map(({ table }) => table);
  const isWhole = nodes.every(({ state }) => state === 'ready');
  const [plan] = isWhole ? await rows<{ shards: number }>(PLAN) : [];
  return { nodes, undistributed, misplacedShards: plan?.shards ?? null };
}

/** All tables of a shard move together. */
const PLAN = `
  select count(distinct (s.shardminvalue, s.shardmaxvalue))::int as shards
  from get_rebalance_table_shards_plan() as plan join pg_dist_shard s on s.shardid = plan.shardid`;

/** A table that is not where it belongs, and where it does. */
interface Step {
  readonly kind: 'reference' | 'distributed';
  readonly table: string;
}

/** Returns the tables that are not distributed yet, reference tables first. */
export async function undistributedTables(rows: Rows): Promise<Step[]> {
  const steps = await rows<Step>(TABLE_STEPS, [[...REFERENCE_TABLES.keys()], DISTRIBUTION_COLUMN]);
  return steps.filter(({ kind, table }) => kind === 'reference' || !isUndistributed(table));
}

/** Whether table `c` is distributed or a reference table; Citus manages some local ones, too. */
export const IS_DISTRIBUTED = `exists (select from pg_dist_partition d
  where d.logicalrelid = c.oid and (d.partmethod = 'h' or d.repmodel = 't'))`;

/** $1 names the reference tables, $2 the column that others are distributed by. */
const TABLE_STEPS = `
  select case when c.relname = any($1) then 'reference' else 'distributed' end as kind,
    c.relname as table
  from pg_class c
  left join pg_attribute a on a.attrelid = c.oid and a.attname = $2 and a.attnotnull
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and (c.relname = any($1) or a.attname is not null)
    and not ${IS_DISTRIBUTED}
  order by array_position($1, c.relname::text), c.relname`;

interface Member extends Pick<ClusterNode, 'address' | 'role' | 'shards'> {
  readonly id: number;
  readonly groupId: number;
  readonly isActive: boolean;
}

interface Placed {
  readonly groupId: number;
  readonly id: string;
}

interface Size {
  readonly id: number;
  readonly bytes: number | null;
}

/** Of the tables, which are colocated, one stands for all. */
const A_TABLE = `(select min(logicalrelid::oid) from pg_dist_partition where partmethod = 'h')`;

/** The host and port of node `n`; an IPv6 address in brackets. */
export const ADDRESS = `case when n.nodename like '%:%' then '[' || n.nodename || ']'
  else n.nodename end || ':' || n.nodeport`;

const MEMBERS = `
  select n.nodeid as id, n.groupid as "groupId", ${ADDRESS} as address, n.isactive as "isActive",
    case n.groupid when 0 then 'coordinator' else 'worker' end as role, (
      select count(*)::int from pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid
      where p.groupid = n.groupid and s.logicalrelid = ${A_TABLE}
    ) as shards
  from pg_dist_node n where n.noderole = 'primary' order by n.groupid, n.nodeid`;

/** A shard of one hash value has one sub-account. */
const PLACED = `
  select p.groupid as "groupId", a.id
  from pg_dist_shard s
  join pg_dist_placement p on p.shardid = s.shardid
  join sub_accounts a on worker_hash(a.id) = s.shardminvalue::int
  where s.logicalrelid = ${A_TABLE} and s.shardminvalue = s.shardmaxvalue
  order by a.id`;

const SIZES = `
  select nodeid as id, case when success then result::float8 end as bytes
  from run_command_on_all_nodes('select pg_database_size(current_database())')`;
