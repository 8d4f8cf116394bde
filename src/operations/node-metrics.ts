import { isCluster, listNodes, type Rows } from '#platform/database/cluster/nodes.ts';
import type { Metric, Sample } from '#platform/metrics/exposition.ts';

/** The metric with 0 for a node that cannot be queried. */
export const NODE_UP = 'frontdesk_node_up';

/** Returns what the nodes of a cluster store; metrics without samples for one PostgreSQL. */
export async function nodeMetrics(rows: Rows): Promise<readonly Metric[]> {
  const nodes = (await isCluster(rows)) ? await listNodes(rows) : [];
  const samples = (valueOf: (node: (typeof nodes)[number]) => number | null): Sample[] =>
    nodes.flatMap((node) => {
      const value = valueOf(node);
      return value === null ? [] : [{ labels: { node: node.address, role: node.role }, value }];
    });
  return [
    {
      name: NODE_UP,
      type: 'gauge',
      help: '1 if the coordinator can query the node, otherwise 0.',
      samples: samples(({ state }) => (state === 'ready' ? 1 : 0)),
    },
    {
      name: 'frontdesk_node_shards',
      type: 'gauge',
      help: 'Parts of sub-accounts that the node stores.',
      samples: samples(({ shards }) => shards),
    },
    {
      name: 'frontdesk_node_size_bytes',
      type: 'gauge',
      help: 'Size of the database of the node on disk, in bytes.',
      samples: samples(({ bytes }) => bytes),
    },
  ];
}
