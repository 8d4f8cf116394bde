import { createJoinedDatabase, startCitusCluster } from '../../test/support/citus-cluster.ts';
import { on, startPostgres15 } from '../../test/support/postgres-15.ts';
import { urlOf } from '../../test/support/urls.ts';
import { SETTINGS } from '../database.ts';

const NAME = 'frontdesk_bench';
/** What Citus divides sub-accounts into if it is not told otherwise. */
const SHARDS = 32;
/** Like the other benchmarks: a commit is on the disk. */
const DURABLE = { ...SETTINGS, full_page_writes: 'on', autovacuum: 'on', max_connections: '200' };

/** A database and the servers that it is on. */
export interface Servers {
  readonly url: string;
  /** The coordinator of a cluster, or the one PostgreSQL. */
  readonly first: string;
  /** The servers that have the shards. */
  readonly nodes: readonly string[];
}

/** Starts one PostgreSQL of the cluster's version, without the extension. */
export async function startOne(resources: AsyncDisposableStack): Promise<Servers> {
  const server = await startPostgres15(DURABLE);
  resources.defer(() => server.stop());
  await on(server.url, `create database ${NAME} template template0 encoding 'UTF8'`);
  const url = urlOf(server.url, NAME);
  return { url, first: url, nodes: [] };
}

/** Starts a coordinator and two nodes. */
export async function startCluster(resources: AsyncDisposableStack): Promise<Servers> {
  const cluster = await startCitusCluster({ ...DURABLE, max_prepared_transactions: '200' });
  resources.defer(() => cluster.stop());
  const url = await createJoinedDatabase(cluster.urls, NAME, SHARDS);
  const nodes = cluster.workers.map((worker) => urlOf(worker.url, NAME));
  return { url, first: url, nodes };
}
