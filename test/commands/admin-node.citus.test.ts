import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  createClusterDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../support/citus-cluster.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { frontdesk, newKey } from '../support/frontdesk.ts';
import { on } from '../support/postgres-15.ts';

let cluster: CitusCluster;
let installation: Installation;
/** Of the two nodes, as `host:port`. */
let nodes: string[];
let sub: string;

beforeAll(async () => {
  cluster = await startCitusCluster();
  installation = await startInstallation({}, await createClusterDatabase(cluster));
  nodes = cluster.workers.map(({ url }) => new URL(url).host);
  sub = installation.subAccountId;
});
afterAll(async () => {
  await installation?.close();
  await cluster?.stop();
});

const listed = async () => (await installation.admin('node list')).json;

describe('admin node list', () => {
  test('names each node with its role, state, shards and size', async () => {
    const coordinator = new URL(cluster.coordinator.url).host;
    expect(await listed()).toEqual([
      row(coordinator, 'coordinator', 0),
      row(nodes[0], 'worker', 2),
      row(nodes[1], 'worker', 2),
    ]);
  });

  const row = (address: unknown, role: string, shards: number) => ({
    address,
    role,
    state: 'ready',
    shards,
    bytes: expect.any(Number),
    subAccounts: [],
  });
});

describe('admin sub-account place', () => {
  test('refuses unknown sub-accounts and nodes, the coordinator, and other addresses', async () => {
    const { admin } = installation;
    const [node] = nodes;
    const unknown = '00000000-0000-7000-8000-000000000000';
    const coordinator = new URL(cluster.coordinator.url).host;
    const refusals = [
      [unknown, node, 1, `there is no sub-account ${unknown}`],
      [sub, '127.0.0.1:1', 1, 'there is no node 127.0.0.1:1; the nodes for sub-accounts are'],
      [sub, coordinator, 1, `the node ${coordinator} stores no sub-accounts`],
      [sub, 'node-1', 2, 'node-1 was given; it must be host:port'],
    ] as const;
    for (const [id, address, exitCode, message] of refusals) {
      const { code, stderr } = await admin(`sub-account place ${id} --node ${address}`);
      expect(stderr).toContain(message);
      expect(code).toBe(exitCode);
    }
  });
});

describe('migrate --check and doctor', () => {
  const run = (...args: string[]) => frontdesk([...args, '--json'], installation.variables);
  const checkOf = async (check = 'nodes') => {
    const { stdout } = await run('doctor');
    return JSON.parse(stdout).checks.find(({ name }: any) => name === check);
  };

  test('name nodes with their shards, and undistributed tables', async () => {
    const { code, stdout } = await run('migrate', '--check');
    const { cluster: state } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(state).toMatchObject({ nodes: await listed(), undistributed: [] });
    const { message } = await checkOf();
    nodes.forEach((node) => expect(message).toContain(`${node} with`));
    expect(await checkOf('messages')).toMatchObject({ status: 'ok' });

    await on(installation.databaseUrl, 'create table late (sub_account_id uuid not null)');
    const late = await run('migrate', '--check');
    expect(JSON.parse(late.stdout).cluster.undistributed).toEqual(['late']);
    expect(late.code).toBe(1);
    expect(await checkOf()).toMatchObject({
      status: 'fail',
      message: 'not distributed: late',
      fix: 'run frontdesk migrate',
    });
    expect((await run('migrate')).code).toBe(0);
    expect((await run('migrate', '--check')).code).toBe(0);
  });

  test('name unbalanced shards', async () => {
    const { databaseUrl } = installation;
    await on(
      databaseUrl,
      `select citus_set_node_property('127.0.0.1', ${nodes[1]?.split(':')[1]}, 'shouldhaveshards', false)`,
    );
    expect(await checkOf()).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('unbalanced: '),
    });
    expect(
      JSON.parse((await run('migrate', '--check')).stdout).cluster.misplacedShards,
    ).toBeGreaterThan(0);
  });
});

test.skipIf(inject('nodeUrls').length > 0)('one PostgreSQL has no nodes', async () => {
  const database = await createDatabase();
  const variables = { DATABASE_URL: database.url, FRONTDESK_SECRET_KEY: newKey() };
  await frontdesk(['migrate'], variables);
  for (const line of ['node list', `sub-account place ${sub} --node 127.0.0.1:5432`]) {
    const { code, stderr } = await frontdesk(['admin', ...line.split(' ')], variables);
    expect(stderr).toContain('the database has no nodes');
    expect(code).toBe(1);
  }
  await database.drop();
});
