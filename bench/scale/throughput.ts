import { setTimeout as sleep } from 'node:timers/promises';
import { announce } from '../announce.ts';
import { median } from '../statistics.ts';
import { hammer, requestText, UNIQUE } from '../hammer.ts';
import type { Subscription } from '../receiver.ts';
import { type ServerProcess, until } from '../processes.ts';
import type { Hooks } from './hooks.ts';
import type { Stack } from './stack.ts';

const CONNECTIONS = 32;
const ROUNDS = 3;
const SECONDS = 2;
const WARM_UP_SECONDS = 1;
const IDS = 1_000;
const EVENTS = 12_000;
const ARRIVE_MS = 60_000;
const LOOK_EVERY_MS = 20;

/** Requests per second of one server, and of all together. */
export interface Pair {
  readonly one: number;
  readonly all: number;
}

/** Rounds of the same load alternate, so that other work on the machine affects both. */
export async function compareServers({
  sql,
  accounts,
  servers,
}: Stack): Promise<Readonly<Record<'get' | 'list' | 'create', Pair>>> {
  const [loaded] = accounts;
  const authorization = [loaded?.authorization ?? ''];
  const { rows } = await sql.query<{ id: string }>(
    'select id from contacts where sub_account_id = $1 order by id desc limit $2',
    [loaded?.id, IDS],
  );
  const gets = rows.map(({ id }) => requestText(`GET /api/v1/contacts/${id}`, authorization));
  const lists = [requestText('GET /api/v1/contacts?limit=50', authorization)];
  // This sub-account has no subscriptions, so that it causes no work for the workers.
  const creates = (server: number) => [
    requestText('POST /api/v1/contacts', authorization, newContact(server)),
  ];
  return {
    get: await pairOf(servers, () => gets),
    list: await pairOf(servers, () => lists),
    create: await pairOf(servers, creates),
  };
}

type Requests = (server: number) => readonly string[];

async function pairOf(servers: readonly ServerProcess[], requests: Requests): Promise<Pair> {
  const first = servers.slice(0, 1);
  await throughAll(servers, requests, WARM_UP_SECONDS);
  const one: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    one.push(await throughAll(first, requests, SECONDS));
    all.push(await throughAll(servers, requests, SECONDS));
  }
  return { one: median(one), all: median(all) };
}

export const newContact = (server: number): string =>
  JSON.stringify({
    firstName: 'Katharina',
    lastName: 'Belmonte',
    email: `scale.${server}.${UNIQUE}@example.com`,
  });

/** Distributes the connections of the load over all servers. */
async function throughAll(
  servers: readonly ServerProcess[],
  requests: Requests,
  seconds: number,
): Promise<number> {
  const rounds = await Promise.all(
    servers.map(({ url: origin }, number) =>
      hammer({
        origin,
        requests: requests(number),
        connections: CONNECTIONS / servers.length,
        seconds,
      }),
    ),
  );
  return rounds.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

/** Deliveries per second, and the number of workers. */
export interface Delivered {
  readonly perSecond: number;
  readonly workers: number;
}

/** Throws unless every event arrived exactly once. */
export async function deliver(
  { sql }: Stack,
  hooks: Hooks,
  subscriptions: readonly Subscription[],
): Promise<Delivered> {
  hooks.empty();
  const watching = new AbortController();
  const holders = watchHolders(sql, watching.signal);
  await announce({ sql }, subscriptions, EVENTS);
  await until(ARRIVE_MS, `${EVENTS} events have arrived`, async () => hooks.arrived.size >= EVENTS);
  const seconds = hooks.seconds();
  watching.abort();
  const workers = (await holders).size;
  const twice = [...hooks.arrived.values()].filter((times) => times > 1);
  if (hooks.arrived.size !== EVENTS || twice.length > 0) {
    throw new Error(
      `${hooks.arrived.size} of ${EVENTS} events came, ${twice.length} more than once`,
    );
  }
  return { perSecond: EVENTS / seconds, workers };
}

/** The workers that had delivery jobs: a worker has the same name in each of its lanes. */
async function watchHolders(sql: Stack['sql'], ended: AbortSignal): Promise<Set<string>> {
  const seen = new Set<string>();
  while (!ended.aborted) {
    (await holdersOf(sql)).forEach((holder) => seen.add(holder));
    await sleep(LOOK_EVERY_MS);
  }
  return seen;
}

/** The workers that have delivery jobs now. */
export async function holdersOf(sql: Stack['sql']): Promise<readonly string[]> {
  const { rows } = await sql.query<{ holder: string }>(HOLDERS);
  return rows.map(({ holder }) => holder);
}

const HOLDERS = `
  select distinct j.locked_by as holder from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  where j.locked_by is not null and t.identifier like 'webhooks/%'`;
