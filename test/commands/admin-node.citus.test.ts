import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { createClient } from '../../sdk/src/main.ts';
import {
  createClusterDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../support/citus-cluster.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { frontdesk, newKey } from '../support/frontdesk.ts';
import { on } from '../support/postgres-15.ts';

/** A move copies the shards of all tables, step by step. */
const MOVES_MAX_MS = 10 * MINUTE_MS;
const WRITE_EVERY_MS = 50;

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
const placed = async () =>
  (await listed()).flatMap(({ address, subAccounts }: any) =>
    subAccounts.map((id: string) => [id, address]),
  );

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
  test(
    'moves a sub-account to each node while it is written, once, with an audit entry',
    {
      timeout: MOVES_MAX_MS,
    },
    async () => {
      const { admin, url } = installation;
      const { json: key } = await admin(
        `key create --name E --scopes all --rate-write 1000000/1m --sub-account ${sub}`,
      );
      const client = createClient({ baseUrl: url, apiKey: key.key, maxTries: 1 });
      const moving = new AbortController();
      const names: string[] = [];
      const writing = (async () => {
        while (!moving.signal.aborted) {
          const { firstName } = await client.contacts.create({
            firstName: `C${names.length}`,
            lastName: 'Weber',
          });
          names.push(firstName ?? '');
          await sleep(WRITE_EVERY_MS);
        }
      })();
      const [first = '', second = ''] = nodes;
      const moves = [];
      for (const node of [first, second, second]) {
        const { json, stderr } = await admin(`sub-account place ${sub} --node ${node}`);
        expect(stderr).toBe('');
        moves.push(json);
        expect(await placed()).toEqual([[sub, node]]);
      }
      moving.abort();
      await writing;
      expect(moves).toEqual([
        expect.objectContaining({ subAccountId: sub, node: first, isolated: true }),
        { subAccountId: sub, node: second, from: first, isolated: false, moved: true },
        { subAccountId: sub, node: second, from: second, isolated: false, moved: false },
      ]);

      const found = await client.contacts.list({ limit: 1 });
      expect(found.meta.total).toBe(names.length);
      const { json: audit } = await admin(`audit list --sub-account ${sub}`);
      const ofMoves = audit.filter(({ operation }: any) => operation === 'admin sub-account place');
      expect(ofMoves).toHaveLength(2);
      expect(ofMoves[0]).toMatchObject({ actorKind: 'cli', recordId: sub });
      const { json: all } = await admin('audit list --limit 3');
      expect(all).toHaveLength(3);
    },
  );

  test(
    'keeps a placed sub-account where it is when shards are rebalanced',
    {
      timeout: MOVES_MAX_MS,
    },
    async () => {
      const [node = ''] = nodes;
      const { json } = await installation.admin('sub-account create --name Large');
      const { stderr } = await installation.admin(`sub-account place ${json.id} --node ${node}`);
      expect(stderr).toBe('');
      const before = await placed();
      await on(installation.databaseUrl, 'select citus_rebalance_start()');
      await on(installation.databaseUrl, 'select citus_rebalance_wait()');
      expect(await placed()).toEqual(before);
    },
  );

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

  test(
    'refuses nodes that cannot copy shards in use, and moves nothing',
    {
      timeout: MOVES_MAX_MS,
    },
    async () => {
      const [worker] = cluster.workers;
      const before = await placed();
      const move = () => installation.admin(`sub-account place ${sub} --node ${nodes[0]}`);
      await worker?.kill();
      const states = (await listed()).map(({ state, bytes }: any) => [state, bytes === null]);
      expect(states).toEqual([
        ['ready', false],
        ['unavailable', true],
        ['ready', false],
      ]);
      expect((await move()).stderr).toContain(`the node ${nodes[0]} is unavailable`);
      await worker?.start();
      expect((await move()).stderr).toBe('');
      expect(before).toContainEqual([sub, nodes[1]]);
      expect(await placed()).toContainEqual([sub, nodes[0]]);
    },
  );
});

describe('migrate --check and doctor', () => {
  const run = (...args: string[]) => frontdesk([...args, '--json'], installation.variables);
  const checkOf = async () => {
    const { stdout } = await run('doctor');
    return JSON.parse(stdout).checks.find(({ name }: any) => name === 'nodes');
  };

  test('name nodes with their shards, and undistributed tables', async () => {
    const { code, stdout } = await run('migrate', '--check');
    const { cluster: state } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(state).toMatchObject({ nodes: await listed(), undistributed: [] });
    const { message } = await checkOf();
    nodes.forEach((node) => expect(message).toContain(`${node} with`));

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
