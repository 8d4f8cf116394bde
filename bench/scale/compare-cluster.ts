import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { SubAccount } from '../ground.ts';
import { hammer, requestText, type Load } from '../hammer.ts';
import { processorSeconds } from '../machine.ts';
import { FRONTDESK } from '../processes.ts';
import { subscribe, type Subscription } from '../receiver.ts';
import { loadOf, productRequest } from '../scenarios/book-hot-slot.ts';
import { csvOf } from '../scenarios/import-csv.ts';
import { median } from '../statistics.ts';
import { startCluster, startOne, type Servers } from './databases.ts';
import { receiveHooks, type Hooks } from './hooks.ts';
import { openStackOn, type Stack } from './stack.ts';
import { deliver, newContact } from './throughput.ts';

const CONTACTS_EACH = 4_000;
const IDS_EACH = 200;
const CONNECTIONS = 32;
const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const DELIVERY_ROUNDS = 3;
/** One sub-account is booked, one has no subscriptions. */
const SUBSCRIBED = 4;

/** The same product on one kind of database, with a server and a worker. */
interface Side {
  readonly stack: Stack;
  readonly hooks: Hooks;
  readonly subscriptions: readonly Subscription[];
  readonly loads: Readonly<Record<Name, Load>>;
  /** Seconds of processor time so far, by who used them. */
  used(): Promise<Used>;
}

type Name = 'get' | 'list' | 'create' | 'book';

/** Seconds of processor time; `nodes` is zero on one PostgreSQL. */
interface Used {
  readonly product: number;
  readonly first: number;
  readonly nodes: number;
}

/** What one request costs on the cluster, in milliseconds of processor time. */
export type Cost = Used;

/** A figure of both kinds of database, per second. */
interface Measured {
  readonly what: string;
  readonly one: number;
  readonly cluster: number;
  readonly cost: Cost;
}

export interface ClusterFigures {
  readonly measured: readonly Measured[];
  /** The median duration of a request of one connection, in milliseconds. */
  readonly hop: { readonly one: number; readonly cluster: number };
  /** Bytes on the nodes for each contact, its event and its delivery included. */
  readonly bytesPerContact: number;
}

const WHAT: Readonly<Record<Name, string>> = {
  get: 'GET one contact',
  list: 'list of 50',
  create: 'POST contact',
  book: 'attempts to book',
};

/** Compares one PostgreSQL with a cluster of three servers on the same processors. */
export async function compareCluster(
  scratch: string,
  resources: AsyncDisposableStack,
  say: (line: string) => void,
): Promise<ClusterFigures> {
  say('one PostgreSQL…');
  const one = await openSide(await startOne(resources), join(scratch, 'one'), resources);
  say('a coordinator and two nodes…');
  const cluster = await openSide(
    await startCluster(resources),
    join(scratch, 'cluster'),
    resources,
  );
  const measured: Measured[] = [];
  for (const name of ['get', 'list', 'create', 'book'] as const) {
    say(`${WHAT[name]}…`);
    measured.push(await compare(WHAT[name], one, cluster, throughput(name)));
  }
  say('webhook deliveries…');
  measured.push(await compare('webhook deliveries', one, cluster, deliveries, DELIVERY_ROUNDS));
  const hop = { one: await alone(one), cluster: await alone(cluster) };
  return { measured, hop, bytesPerContact: await bytesPerContact(cluster) };
}

/** Does work for a while. Returns its operations, and the seconds that they took. */
type Work = (side: Side) => Promise<{ readonly count: number; readonly seconds: number }>;

/** Rounds alternate, so that other work on the machine affects both. */
async function compare(
  what: string,
  one: Side,
  cluster: Side,
  work: Work,
  rounds = ROUNDS,
): Promise<Measured> {
  const figures: { one: number; cluster: number; cost: Cost }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const here = await work(one);
    const before = await cluster.used();
    const there = await work(cluster);
    const after = await cluster.used();
    figures.push({
      one: here.count / here.seconds,
      cluster: there.count / there.seconds,
      cost: costOf(before, after, there.count),
    });
  }
  const middle = (of: (figure: (typeof figures)[number]) => number) => median(figures.map(of));
  return {
    what,
    one: middle((figure) => figure.one),
    cluster: middle((figure) => figure.cluster),
    cost: {
      product: middle(({ cost }) => cost.product),
      first: middle(({ cost }) => cost.first),
      nodes: middle(({ cost }) => cost.nodes),
    },
  };
}

const costOf = (before: Used, after: Used, count: number): Cost => ({
  product: ((after.product - before.product) / count) * 1_000,
  first: ((after.first - before.first) / count) * 1_000,
  nodes: ((after.nodes - before.nodes) / count) * 1_000,
});

const throughput =
  (name: Name): Work =>
  async (side) => {
    const { sql, accounts } = side.stack;
    if (name === 'book') {
      await sql.query('delete from appointments where sub_account_id = $1', [accounts[0]?.id]);
    }
    const { perSecond } = await hammer({ ...side.loads[name], seconds: SECONDS });
    return { count: perSecond * SECONDS, seconds: SECONDS };
  };

const deliveries: Work = async ({ stack, hooks, subscriptions }) => {
  const { perSecond } = await deliver(stack, hooks, subscriptions);
  return { count: hooks.arrived.size, seconds: hooks.arrived.size / perSecond };
};

/** One request after the other: what the way through the coordinator adds. */
async function alone({ loads }: Side): Promise<number> {
  const { p50Ms } = await hammer({ ...loads.get, connections: 1, seconds: SECONDS });
  return p50Ms;
}

async function openSide(
  servers: Servers,
  scratch: string,
  resources: AsyncDisposableStack,
): Promise<Side> {
  await mkdir(scratch, { recursive: true });
  const stack = await openStackOn(servers.url, scratch, resources);
  const [booked, ...others] = stack.accounts;
  await loadAll(stack, scratch);
  const hooks = await receiveHooks(resources);
  const subscriptions: Subscription[] = [];
  for (const { id } of others.slice(-SUBSCRIBED)) {
    subscriptions.push(await subscribe(stack, id, hooks));
  }
  await stack.startServer();
  await stack.startWorker();
  const [server] = stack.servers;
  const loads = await loadsOf(stack, scratch, booked as SubAccount);
  for (const load of Object.values(loads)) {
    await hammer({ ...load, seconds: WARM_UP_SECONDS });
  }
  const processes = [server?.pid ?? 0, stack.workers[0]?.pid ?? 0];
  const first = await postmasterOf(servers.first);
  const nodes = await Promise.all(servers.nodes.map(postmasterOf));
  const sumOf = async (pids: readonly number[]) =>
    (await Promise.all(pids.map(processorSeconds))).reduce((sum, seconds) => sum + seconds, 0);
  return {
    stack,
    hooks,
    subscriptions,
    loads,
    used: async () => ({
      product: await sumOf(processes),
      first: await sumOf([first]),
      nodes: await sumOf(nodes),
    }),
  };
}

/** Imports the same number of contacts into each sub-account. */
async function loadAll({ accounts, env, sql }: Stack, scratch: string): Promise<void> {
  const file = join(scratch, 'contacts.csv');
  await writeFile(file, csvOf(CONTACTS_EACH));
  for (const { id } of accounts) {
    const args = ['admin', 'contact', 'import', file, '--sub-account', id, '--json', '--yes'];
    await promisify(execFile)(FRONTDESK, args, { env: { ...process.env, ...env } });
  }
  await sql.query('vacuum (analyze)');
}

/** Requests over all sub-accounts, except bookings and new contacts: these have one each. */
async function loadsOf(
  { sql, env, accounts, servers }: Stack,
  scratch: string,
  spare: SubAccount,
): Promise<Side['loads']> {
  const gets: string[] = [];
  const lists: string[] = [];
  for (const { id, authorization } of accounts) {
    const { rows } = await sql.query<{ id: string }>(
      'select id from contacts where sub_account_id = $1 order by id desc limit $2',
      [id, IDS_EACH],
    );
    gets.push(...rows.map((row) => requestText(`GET /api/v1/contacts/${row.id}`, [authorization])));
    lists.push(requestText('GET /api/v1/contacts?limit=50', [authorization]));
  }
  const origin = servers[0]?.url ?? '';
  const creates = accounts
    .slice(0, -SUBSCRIBED)
    .map(({ authorization }) =>
      requestText('POST /api/v1/contacts', [authorization], newContact(0)),
    );
  const all = { origin, connections: CONNECTIONS, seconds: SECONDS };
  return {
    get: { ...all, requests: gets },
    list: { ...all, requests: lists },
    create: { ...all, requests: creates },
    book: { ...all, ...loadOf(origin, await productRequest({ scratch, spare, env })) },
  };
}

/** The process id of a server. */
async function postmasterOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ text: string }>(
    `select pg_read_file('postmaster.pid') as text`,
  );
  await client.end();
  return Number.parseInt(rows[0]?.text ?? '', 10);
}

async function bytesPerContact({ stack }: Side): Promise<number> {
  const { rows } = await stack.sql.query<{ bytes: string; contacts: string }>(
    `select (select sum(citus_total_relation_size(logicalrelid)) from pg_dist_partition
       where partmethod = 'h') as bytes, (select count(*) from contacts) as contacts`,
  );
  return Number(rows[0]?.bytes) / Number(rows[0]?.contacts);
}
