import { counted } from '#lib/counted.ts';
import { readClusterState, type ClusterNode } from '#platform/database/cluster/nodes.ts';
import { findReplicationProblems } from '#platform/database/cluster/place-sub-account.ts';
import { fail, ok, warn, type Check } from '../check.ts';

/** Whether the nodes of a cluster can be used, and whether the data is where it belongs. */
export const nodes: Check = {
  name: 'nodes',
  async examine({ rows }) {
    const cluster = await readClusterState(rows);
    if (!cluster) {
      return ok('one PostgreSQL');
    }
    const { undistributed, misplacedShards } = cluster;
    const lost = cluster.nodes.filter(({ state }) => state !== 'ready');
    if (lost.length > 0) {
      return fail(
        lost.map(({ address, state }) => `${address} is ${state}`).join(', '),
        'start the node, or check its network; its sub-accounts get 503 until then',
      );
    }
    if (undistributed.length > 0) {
      return fail(`not distributed: ${undistributed.join(', ')}`, 'run frontdesk migrate');
    }
    const message = cluster.nodes.map(describeNode).join(', ');
    const [problem] = await findReplicationProblems(rows);
    if (problem) {
      return warn(`${problem.message}, so shards in use cannot be moved`, problem.fix);
    }
    return misplacedShards
      ? warn(
          `${message}; unbalanced: ${counted(misplacedShards, 'shard')} should move`,
          'run select citus_rebalance_start() on the coordinator',
        )
      : ok(message);
  },
};

export const describeNode = ({ address, role, shards }: ClusterNode): string =>
  `${address} ${role === 'coordinator' ? '(coordinator)' : `with ${counted(shards, 'shard')}`}`;
