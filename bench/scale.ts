import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { subscribe, type Subscription } from './receiver.ts';
import { checkLimits, checkRevocation, survivesKill } from './scale/checks.ts';
import { receiveHooks } from './scale/hooks.ts';
import { compareCluster, type ClusterFigures } from './scale/compare-cluster.ts';
import { ASSUMPTIONS, simulate } from './scale/simulate.ts';
import { openStack, type Stack } from './scale/stack.ts';
import { compareServers, deliver, type Pair } from './scale/throughput.ts';

const USAGE = `node bench/scale.ts [--servers N] [--workers N] [--pgbouncer] [--redis] [--replica]
node bench/scale.ts --citus

Runs N servers (2) and workers (3) of the product on one PostgreSQL, checks that they act as one, and
compares what they do a second with one server and one worker. --pgbouncer puts a PgBouncer in
transaction mode in between, --redis counts requests in Redis (both take Debian's packages), --replica
lets a second PostgreSQL answer lists. Exit code 1 where a promise is broken. About a minute.

--citus compares one PostgreSQL with a cluster of a coordinator and two nodes, on the same processors, and
projects the measured costs to a large installation. About five minutes.
`;

const say = (line: string) => void process.stderr.write(`scale: ${line}\n`);

interface Sizes {
  readonly servers: number;
  readonly workers: number;
}

async function main(): Promise<0 | 1 | 2> {
  const { values } = parseArgs({
    options: {
      servers: { type: 'string', default: '2' },
      workers: { type: 'string', default: '3' },
      pgbouncer: { type: 'boolean', default: false },
      redis: { type: 'boolean', default: false },
      replica: { type: 'boolean', default: false },
      citus: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  const sizes = { servers: Number(values.servers), workers: Number(values.workers) };
  if (values.help || !Object.values(sizes).every((size) => size >= 1 && size <= 8)) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const resources = new AsyncDisposableStack();
  try {
    const scratch = mkdtempSync(join(tmpdir(), 'frontdesk-scale-'));
    resources.defer(() => rm(scratch, { recursive: true, force: true }));
    const running = values.citus
      ? compareCluster(scratch, resources, say).then(clusterText)
      : openStack(scratch, resources, values).then((stack) => run(stack, sizes));
    process.stdout.write(`${await Promise.race([running, interruption()])}\n`);
    return 0;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    await resources.disposeAsync();
  }
}

async function run(stack: Stack, { servers, workers }: Sizes): Promise<string> {
  const hooks = await receiveHooks(stack.resources);
  const subscriptions: Subscription[] = [];
  for (const { id } of stack.accounts.slice(1)) {
    subscriptions.push(await subscribe(stack, id, hooks));
  }
  await grow(stack, { servers: 1, workers: 1 });
  const byOne = await deliver(stack, hooks, subscriptions);
  await grow(stack, { servers, workers });
  const byAll = await deliver(stack, hooks, subscriptions);
  const { get, list, create } = await compareServers(stack);
  const found: string[] = [];
  for (const check of [checkLimits, checkRevocation, survivesKill]) {
    found.push(`- ${await check(stack, hooks, subscriptions)}`);
  }
  const table = tableOf({ servers, workers }, [
    ['GET one contact', get],
    ['list of 50', list],
    ['POST contact', create],
    ['webhook deliveries, each event once', { one: byOne.perSecond, all: byAll.perSecond }],
    ['workers that delivered', { one: byOne.workers, all: byAll.workers }],
  ]);
  return [`${availableParallelism()} cores, everything on them`, table, ...found].join('\n');
}

async function grow(stack: Stack, { servers, workers }: Sizes): Promise<void> {
  say(`${servers} server(s), ${workers} worker(s)…`);
  while (stack.servers.length < servers) {
    await stack.startServer();
  }
  while (stack.workers.length < workers) {
    await stack.startWorker();
  }
}

function tableOf(
  { servers, workers }: Sizes,
  lines: readonly (readonly [what: string, pair: Pair])[],
): string {
  const head = [
    'a second',
    '1 server, 1 worker',
    `${servers} servers, ${workers} workers`,
    'ratio',
  ];
  const table = newTable(head);
  for (const [what, { one, all }] of lines) {
    table.push([what, figure(one), figure(all), (all / one).toFixed(2)]);
  }
  return table.toString();
}

function clusterText(figures: ClusterFigures): string {
  const { measured, hop, bytesPerContact } = figures;
  const table = newTable([
    'a second',
    'one PostgreSQL',
    'cluster',
    'ratio',
    'ms of product',
    'of coordinator',
    'of nodes',
  ]);
  for (const { what, one, cluster, cost } of measured) {
    const costs = [cost.product, cost.first, cost.nodes].map((ms) => ms.toFixed(2));
    table.push([what, figure(one), figure(cluster), (cluster / one).toFixed(2), ...costs]);
  }
  const { perSecond, parts, eurosPerMonth, coordinatorLimit } = simulate(figures);
  const plan = newTable(['part', 'machines', 'processors', 'disk']);
  for (const { what, machines, processors, disk } of parts) {
    plan.push([what, String(machines), percent(processors), percent(disk)]);
  }
  const rates = Object.entries(perSecond).map(([work, rate]) => `${figure(rate)} ${work}`);
  return [
    `${availableParallelism()} cores, everything on them`,
    table.toString(),
    `- GET of one connection: ${hop.one.toFixed(2)} ms on one PostgreSQL, ${hop.cluster.toFixed(2)} ms through the coordinator`,
    `- ${figure(bytesPerContact)} bytes on the nodes for each contact`,
    `\n${ASSUMPTIONS}`,
    `- a second in the busiest hour: ${rates.join(', ')}`,
    plan.toString(),
    `- ${figure(eurosPerMonth)} € a month; the coordinator is full at ${figure(coordinatorLimit)} requests a second`,
  ].join('\n');
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const newTable = (head: string[]) =>
  new Table({ head, style: { head: [], border: [], compact: true } });

const figure = (value: number): string => Math.round(value).toLocaleString('en');

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error(`ended by ${signal}`)));
    }
  });
}

process.exit(await main());
