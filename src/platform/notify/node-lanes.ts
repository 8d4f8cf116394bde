import type { Database } from '../database/database.ts';
import type { Logger } from '../config/logger.ts';
import { publishOwn } from './publish-own.ts';

interface LanesDeps {
  readonly database: Pick<Database, 'rows'>;
  readonly log: Logger;
}

export interface NodeLanes {
  /** Publishes the events of these sub-accounts, later. Returns false if the database is no cluster. */
  take(subAccountIds: readonly string[]): Promise<boolean>;
  /** Waits until no statement is under way. */
  close(): Promise<void>;
}

/** The sub-accounts of one node that wait. */
interface Lane {
  readonly waiting: Set<string>;
  running?: Promise<void> | undefined;
}

/**
 * Publishes the events of a cluster by node: those of one node one after the other, different nodes at the
 * same time. A node that is lost, or does not answer, delays no sub-account of another one.
 */
export function openNodeLanes({ database, log }: LanesDeps, stopping: AbortSignal): NodeLanes {
  const lanes = new Map<string, Lane>();
  let cluster: Promise<boolean> | undefined;
  const isCluster = () =>
    (cluster ??= isClusterIn(database).catch((error: unknown) => {
      cluster = undefined;
      throw error;
    }));

  const run = async (lane: Lane) => {
    const { waiting } = lane;
    for (const subAccountId of waiting) {
      if (stopping.aborted) {
        break;
      }
      waiting.delete(subAccountId);
      try {
        await publishOwn({ rows: database.rows, subAccountId });
      } catch (error) {
        log.debug({ err: error, subAccountId }, 'events not published; trying again');
      }
    }
    // At once: what is added later starts another run.
    lane.running = undefined;
  };
  const add = (subAccountId: string, node: string) => {
    const lane: Lane = lanes.get(node) ?? { waiting: new Set() };
    lanes.set(node, lane);
    lane.waiting.add(subAccountId);
    lane.running ??= run(lane);
  };
  return {
    async take(subAccountIds) {
      if (subAccountIds.length === 0 || !(await isCluster())) {
        return false;
      }
      const found = await database.rows<{ id: string; node: string }>(NODES, [subAccountIds]);
      found.forEach(({ id, node }) => add(id, node));
      return true;
    },
    async close() {
      for (const { running } of lanes.values()) {
        await running;
      }
    },
  };
}

async function isClusterIn({ rows }: Pick<Database, 'rows'>): Promise<boolean> {
  const [row] = await rows<{ isShared: boolean }>('select batches_are_shared() as "isShared"', []);
  return row?.isShared === false;
}

/** Read from the coordinator's own tables. */
const NODES = `select id::text, (
    select p.groupid::text from pg_dist_placement p
    where p.shardid = get_shard_id_for_distribution_column('outbox', id) limit 1
  ) as node
  from unnest($1::uuid[]) as id`;
