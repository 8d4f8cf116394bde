import { Pool } from 'pg';
import { inject } from 'vitest';
import { configureNodes } from '#platform/database/cluster/distribute-tables.ts';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { joinDatabase } from './citus-cluster.ts';
import { urlOf } from './urls.ts';

export const TEMPLATE = 'frontdesk_template';

/** A database without schema: on a cluster, all nodes have joined it. */
export const EMPTY = 'frontdesk_empty';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database as a copy of the migrated template; `empty` has no schema at all, and `plain` neither a
 * schema nor, on a cluster, nodes. Copying files takes a third of the time that PostgreSQL's default takes,
 * which copies through its buffers and log. On a cluster each server copies its part.
 */
export async function createDatabase(
  from: 'migrated' | 'empty' | 'plain' = 'migrated',
): Promise<TestDatabase> {
  if (from === 'plain') {
    return copyOfTemplate('template0', [inject('postgresUrl')]);
  }
  const empty = inject('nodeUrls').length > 0 ? EMPTY : 'template0';
  return copyOfTemplate(from === 'migrated' ? TEMPLATE : empty, allServers());
}

/** Copies a plain database of the tests, to which nothing may be connected. */
export const copyOf = (database: TestDatabase): Promise<TestDatabase> =>
  copyOfTemplate(nameOf(database), [inject('postgresUrl')]);

/** On a cluster, makes a plain database that of the coordinator. */
export async function joinNodes(database: Pick<TestDatabase, 'url'>): Promise<void> {
  const servers = allServers();
  if (servers.length > 1) {
    await joinDatabase(servers, nameOf(database));
  }
}

const nameOf = ({ url }: Pick<TestDatabase, 'url'>): string => new URL(url).pathname.slice(1);

const allServers = (): readonly string[] => [inject('postgresUrl'), ...inject('nodeUrls')];

async function copyOfTemplate(template: string, servers: readonly string[]): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const create = `create database ${name} template ${template} strategy file_copy`;
  await Promise.all(servers.map((one) => onServer(one, create)));
  if (servers.length > 1) {
    // A copy does not have the settings of its template.
    await withClient(urlOf(server, name), configureNodes);
  }
  return {
    url: urlOf(server, name),
    async drop() {
      const drop = `drop database if exists ${name} with (force)`;
      await Promise.all(allServers().map((one) => onServer(one, drop)));
    },
  };
}

/** One connection of this process to each server creates and drops the databases of all its files. */
const pools = new Map<string, Pool>();

/** Opening a connection takes several times as long as the statement. */
async function onServer(url: string, statement: string): Promise<void> {
  const pool = pools.get(url) ?? openPool(url);
  pools.set(url, pool);
  await pool.query(statement);
}

/** Returns a pool of one connection: it opens another one after a test has ended all connections. */
const openPool = (url: string): Pool =>
  new Pool({
    connectionString: urlOf(url, 'postgres'),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => undefined);
