import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sleep } from '#lib/abort.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { createClient } from '../../sdk/src/main.ts';
import {
  createClusterDatabase,
  startCitusCluster,
  type CitusCluster,
} from '../support/citus-cluster.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
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
      const { json: audit } = await admin(`audit list --sub-account ${sub} --record ${sub}`);
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
