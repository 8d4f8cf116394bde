import { Fault } from '#core/fault.ts';
import { databaseRefusal } from '../database-errors.ts';
import { MIGRATIONS_LOCK, withClient } from '../migrate/schema-state.ts';
import { ADDRESS, isCluster, type Rows } from './nodes.ts';

/** The longest wait for a migration or a backup, during which shards stay where they are. */
const LOCK_TIMEOUT_MS = 120_000;
const NOT_AVAILABLE = '55P03';

export interface Placement {
  /** The node that has the sub-account now. */
  readonly node: string;
  /** The node that had it before; the same one if it did not move. */
  readonly from: string;
  /** Whether it was separated from the other sub-accounts of its shard. */
  readonly isolated: boolean;
}

/**
 * Gives a sub-account a shard of its own and moves it to a node while it is in use. Does nothing that was
 * done before, so an interrupted call is continued by the next. Throws a Fault for a database without
 * nodes, an unknown node, and a node that cannot be used.
 */
export const placeSubAccount = (
  url: string,
  subAccountId: string,
  address: string,
): Promise<Placement> =>
  withClient(url, async (client) => {
    const rows: Rows = async (text, values) =>
      (await client.query(text, values as unknown[] | undefined)).rows;
    await requireCluster(rows);
    const target = await findWorker(rows, address);
    await requireReplication(rows);
    await rows(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await rows('select pg_advisory_lock($1)', [MIGRATIONS_LOCK]).catch(explainLock);
    // A killed call leaves the tables of its copy behind, which would be in the way.
    await rows('call citus_cleanup_orphaned_resources()');
    const before = await shardOf(rows, subAccountId);
    if (!before.isAlone) {
      await isolate(rows, before, target);
    }
    const { id, nodeId } = await shardOf(rows, subAccountId);
    await moveShard(rows, id, nodeId, target);
    const { address: node } = await shardOf(rows, subAccountId);
    return { node, from: before.address, isolated: !before.isAlone };
  });

/**
 * Splits the shard of a sub-account, so that it has one of its own. The parts are made on another node
 * and those of the other sub-accounts move back: Citus does not replicate updates and deletions to parts
 * on the same node, and waits for them forever (citusdata/citus#6790).
 */
async function isolate(rows: Rows, shard: Shard, target: number): Promise<void> {
  const { id, table, hash, first, last, nodeId } = shard;
  const [other] = nodeId === target ? await otherNodes(rows, nodeId) : [target];
  if (other === undefined) {
    // A cluster of one node: writes wait until the shard is copied.
    await rows(`select isolate_tenant_to_new_shard($1, $2::uuid, 'CASCADE', 'block_writes')`, [
      table,
      shard.subAccountId,
    ]);
    return;
  }
  const points = [hash - 1, hash].filter((point) => point >= first && point < last);
  await rows('select citus_split_shard_by_split_points($1::bigint, $2::text[], $3::int[])', [
    id,
    points.map(String),
    [...points, last].map(() => other),
  ]);
  for (const rest of await rows<{ id: string }>(REST, [table, first, last, hash])) {
    await moveShard(rows, rest.id, other, nodeId);
  }
}

async function otherNodes(rows: Rows, nodeId: number): Promise<number[]> {
  const nodes = await rows<{ id: number; takesShards: boolean }>(NODES);
  return nodes.filter(({ id, takesShards }) => takesShards && id !== nodeId).map(({ id }) => id);
}

const REST = `select shardid::text as id from pg_dist_shard
  where logicalrelid = $1::regclass and shardminvalue::int >= $2::int
    and shardmaxvalue::int <= $3::int and $4::int not between shardminvalue::int and shardmaxvalue::int`;

/** Moves a shard of all tables while it is in use. */
async function moveShard(rows: Rows, id: string, from: number, to: number): Promise<void> {
  if (from !== to) {
    await rows('select citus_move_shard_placement($1::bigint, $2::int, $3::int)', [id, from, to]);
  }
}

/** Throws a Fault if the database is a single PostgreSQL. */
export async function requireCluster(rows: Rows): Promise<void> {
  if (!(await isCluster(rows))) {
    throw new Fault(
      'VALIDATION_ERROR',
      'the database has no nodes: it is one PostgreSQL without the extension citus; docs/scaling.md says how to move to Citus',
    );
  }
}

/** Returns the id of a node that can have shards. */
async function findWorker(rows: Rows, address: string): Promise<number> {
  const nodes = await rows<{ id: number; address: string; takesShards: boolean }>(NODES);
  const found = nodes.find((node) => node.address === address);
  const usable = nodes.filter(({ takesShards }) => takesShards).map((node) => node.address);
  if (!found) {
    throw new Fault(
      'NOT_FOUND',
      `there is no node ${address}; the nodes for sub-accounts are ${usable.join(', ')}`,
    );
  }
  if (!found.takesShards) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the node ${address} stores no sub-accounts: it is the coordinator, disabled, or shouldhaveshards is false; the nodes for sub-accounts are ${usable.join(', ')}`,
    );
  }
  return found.id;
}

const NODES = `select n.nodeid as id, ${ADDRESS} as address,
    n.isactive and n.shouldhaveshards as "takesShards"
  from pg_dist_node n where n.noderole = 'primary' order by n.nodeid`;

/** Throws a Fault unless all nodes can copy shards that are in use, by logical replication. */
async function requireReplication(rows: Rows): Promise<void> {
  const [problem] = await findReplicationProblems(rows);
  if (problem) {
    throw new Fault('SERVICE_UNAVAILABLE', `${problem.message}; nothing was moved. ${problem.fix}`);
  }
}

interface ReplicationProblem {
  readonly message: string;
  readonly fix: string;
}

/** Returns what keeps nodes from copying shards that are in use. */
export async function findReplicationProblems(rows: Rows): Promise<ReplicationProblem[]> {
  const settings = await rows<{ address: string; success: boolean; result: string }>(SETTINGS);
  return settings.flatMap(({ address, success, result }) => {
    if (!success) {
      return [
        { message: `the node ${address} is unavailable`, fix: 'Start it, or check its network' },
      ];
    }
    const [level, plugins = ''] = result.split(' ', 2);
    if (level !== 'logical') {
      return [
        {
          message: `wal_level of the node ${address} is ${level}`,
          fix: `Set wal_level = 'logical' and restart it`,
        },
      ];
    }
    return plugins === '' || plugins.split(',').includes('citus')
      ? []
      : [
          {
            message: `output_plugin_libraries of the node ${address} lacks citus`,
            fix: `Set output_plugin_libraries = 'citus, pgoutput' and reload it`,
          },
        ];
  });
}

/** Releases of PostgreSQL since 2026 load only the listed plug-ins. */
const SETTINGS = `
  select ${ADDRESS} as address, coalesce(r.success, false) as success, r.result
  from pg_dist_node n
  left join run_command_on_all_nodes(
    $$select current_setting('wal_level') || ' '
      || replace(coalesce(current_setting('output_plugin_libraries', true), ''), ' ', '')$$
  ) as r on r.nodeid = n.nodeid
  where n.noderole = 'primary' and n.isactive order by n.nodeid`;

function explainLock(error: unknown): never {
  throw databaseRefusal(error)?.code === NOT_AVAILABLE
    ? new Fault(
        'SERVICE_UNAVAILABLE',
        'a migration, a backup or another move is running; nothing was moved, try again later',
      )
    : error;
}

interface Shard {
  readonly id: string;
  readonly subAccountId: string;
  readonly table: string;
  /** The hash of the sub-account's id, and those of the shard. */
  readonly hash: number;
  readonly first: number;
  readonly last: number;
  /** Whether it has no other sub-account. */
  readonly isAlone: boolean;
  readonly nodeId: number;
  readonly address: string;
}

async function shardOf(rows: Rows, subAccountId: string): Promise<Shard> {
  const [found] = await rows<Shard>(SHARD, [subAccountId]);
  if (!found) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      'the tables are not distributed yet: run frontdesk migrate',
    );
  }
  return found;
}

/** The shard of any distributed table: those of the others are in the same place. */
const SHARD = `
  select s.shardid::text as id, $1::uuid as "subAccountId", s.logicalrelid::text as table,
    worker_hash($1::uuid) as hash, s.shardminvalue::int as first, s.shardmaxvalue::int as last,
    s.shardminvalue = s.shardmaxvalue as "isAlone", n.nodeid as "nodeId", ${ADDRESS} as address
  from (
    select logicalrelid from pg_dist_partition where partmethod = 'h' order by logicalrelid limit 1
  ) as t
  join pg_dist_shard s
    on s.shardid = get_shard_id_for_distribution_column(t.logicalrelid, $1::uuid)
  join pg_dist_placement p on p.shardid = s.shardid
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`;
