import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { announce } from '../announce.ts';
import type { Arrival } from '../baselines/sink.ts';
import type { Ground } from '../ground.ts';
import { machineMs } from '../machine.ts';
import { startReceiver, subscribe, type Subscription } from '../receiver.ts';
import { latencyScenario } from '../scenario.ts';
import { startWorkerProcess, until } from '../processes.ts';

const AT_MOST_MS = 1_000;
const WAITING = 20_000;
const HEALTHY = 20;
const EVENTS = 150;
const PAUSE_MS = 40;
const ARRIVE_MS = 30_000;

/** Measures how long other receivers wait while one accepts connections and never answers. */
export const deadReceiver = latencyScenario({
  name: 'dead-receiver',
  what: `p95 of ${HEALTHY} sub-accounts while a dead receiver has ${WAITING} events waiting`,
  atMostMs: AT_MOST_MS,
  timesOf: waitsOf,
});

async function waitsOf(ground: Ground): Promise<number[]> {
  const receiver = await startReceiver(ground);
  await startWorkerProcess(ground);
  const dead = await subscribe(ground, ground.large.id, { ...receiver, url: await deaf(ground) });
  await announce(ground, [dead], WAITING);
  const healthy: Subscription[] = [];
  while (healthy.length < HEALTHY) {
    healthy.push(await subscribe(ground, await openSubAccount(ground), receiver));
  }
  for (let n = 0; n < EVENTS; n += 1) {
    await announce(ground, healthy.slice(n % HEALTHY).slice(0, 1), 1);
    await sleep(PAUSE_MS);
  }
  await until(ARRIVE_MS, 'every webhook has arrived', async () => {
    const { count } = await receiver.count();
    return count >= EVENTS;
  });
  return (await receiver.arrivals()).map(waitOf);
}

/** From the change to the arrival; the event's time is wall-clock time. */
const waitOf = ({ atMs, body }: Arrival): number =>
  atMs + WALL_AHEAD_MS - Date.parse(JSON.parse(body).timestamp);

const WALL_AHEAD_MS = Date.now() - machineMs();

async function deaf({ resources }: Ground): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

async function openSubAccount({ sql, resources }: Ground): Promise<string> {
  const id = uuidv7();
  await sql.query(OPEN, [id]);
  resources.defer(async () => {
    await sql.query('delete from sub_accounts where id = $1', [id]);
  });
  return id;
}

const OPEN = `insert into sub_accounts (id, location_id, name, timezone, currency, locale, sandbox,
    created_at, updated_at)
  values ($1::uuid, $1::text, 'Bench', 'UTC', 'USD', 'en', false, now(), now())`;
