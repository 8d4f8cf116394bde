import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { allLogged, announce, sampleBody } from '../announce.ts';
import type { Sending } from '../baselines/bare-sender.ts';
import type { Ground } from '../ground.ts';
import { startServerProcess, startWorkerProcess } from '../processes.ts';
import { rateOf, startReceiver, subscribe, type Receiver } from '../receiver.ts';
import type { Finding, Scenario } from '../scenario.ts';
import { counted } from '../scenarios/deliver-webhooks.ts';
import { median } from '../statistics.ts';
import { freePort } from '../../src/embedded-postgres/server.ts';
import { PEERS_FOLDER, versionsOf } from './install.ts';

const POSTS_PER_ROW = 1 / 100;

/** Measures signed posts, one job each, beside the product's deliveries. The peers keep no log. */
const senderScenario = (
  name: string,
  title: string,
  environmentOf: (ground: Ground) => Promise<Readonly<Record<string, string>>>,
): Scenario => ({
  name,
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      const inner = { ...ground, resources };
      const what = `one webhook per job; ${await versionsOf({ [name]: title })}`;
      return [await findingOf(inner, { name, what, env: await environmentOf(inner) })];
    } finally {
      await resources.disposeAsync();
    }
  },
});

interface Sender {
  readonly name: string;
  readonly what: string;
  readonly env: Readonly<Record<string, string>>;
}

async function findingOf(ground: Ground, { name, what, env }: Sender): Promise<Finding> {
  const posts = Math.round(ground.sizing.rows * POSTS_PER_ROW);
  const receiver = await startReceiver(ground);
  const subscription = await subscribe(ground, ground.small.id, receiver);
  const body = await sampleBody(ground, subscription);
  const sender = await startServerProcess({
    command: (port) => [
      process.execPath,
      join(PEERS_FOLDER, 'senders', `${name}.js`),
      String(port),
    ],
    env: { ...env, NODE_ENV: 'production' },
    logFile: join(ground.scratch, `${name}.log`),
    resources: ground.resources,
  });
  // After the peer: when graphile-worker creates its tables, it stops all its workers in the database.
  await startWorkerProcess(ground);
  const rounds: { readonly bare: number; readonly product: number }[] = [];
  for (let round = 0; round <= ground.sizing.rounds; round += 1) {
    const bare = rateOf(
      await counted(receiver, posts, () => queue(sender.url, receiver, { body, posts })),
    );
    const delivered = await counted(receiver, posts, () => announce(ground, [subscription], posts));
    await allLogged(ground, [subscription], posts * (round + 1));
    rounds.push({ bare, product: rateOf(delivered) });
  }
  // The first round warms up.
  const measured = rounds.slice(1);
  return {
    what,
    unit: 'deliveries/s',
    bare: median(measured.map((round) => round.bare)),
    product: median(measured.map((round) => round.product)),
    ratio: median(measured.map((round) => round.product / round.bare)),
  };
}

async function queue(
  sender: string,
  { url }: Receiver,
  { body, posts }: Omit<Sending, 'url'>,
): Promise<void> {
  const sending: Sending = { url, body, posts };
  const answer = await fetch(sender, { method: 'POST', body: JSON.stringify(sending) });
  if (!answer.ok) {
    throw new Error(`the jobs were not queued: ${await answer.text()}`);
  }
}

/** The peer makes tables of its own in this schema, which is removed at the end. */
const inSchema =
  (schema: string) =>
  async ({ env, sql, resources }: Ground) => {
    resources.defer(async () => void (await sql.query(`drop schema if exists ${schema} cascade`)));
    return { DATABASE_URL: env['DATABASE_URL'] ?? '' };
  };

/** Starts Debian's Redis for BullMQ, without a file, as BullMQ's own benchmarks do. */
async function withRedis({ resources }: Ground) {
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp'];
  const redis = spawn('redis-server', options, { stdio: 'ignore' });
  await once(redis, 'spawn');
  const ended = once(redis, 'exit');
  resources.defer(async () => {
    redis.kill('SIGTERM');
    await ended;
  });
  return { REDIS_URL: `redis://127.0.0.1:${port}` };
}

export const senderPeers: readonly Scenario[] = [
  senderScenario('graphile-worker', 'graphile-worker', inSchema('peer_graphile')),
  senderScenario('pg-boss', 'pg-boss', inSchema('peer_boss')),
  senderScenario('bullmq', 'BullMQ', withRedis),
];
