import { setTimeout as sleep } from 'node:timers/promises';
import { announce } from '../announce.ts';
import { frontdesk, until } from '../processes.ts';
import type { Subscription } from '../receiver.ts';
import type { Hooks } from './hooks.ts';
import { newKey, type Stack } from './stack.ts';
import { holdersOf } from './throughput.ts';

const BUDGET = 100;
const REQUESTS = 400;
const AT_ONCE = 40;
const REVOKED_WITHIN_MS = 5_000;
const KILLED_EVENTS = 6_000;
const ANNOUNCED_MAX = 60_000;
/** Makes deliveries last long enough to kill a worker in the middle. */
const SLOW_ANSWER_MS = 60;
const RECOVERED_WITHIN_MS = 90_000;
const LAST_REPEATS_MS = 5_000;

/** Returns the result as text; throws if a guarantee is broken. */
type Check = (
  stack: Stack,
  hooks: Hooks,
  subscriptions: readonly Subscription[],
) => Promise<string>;

/** A key has one budget across servers. */
export const checkLimits: Check = async ({ env, accounts, servers }) => {
  const { key } = await newKey(env, accounts[0]?.id ?? '', '--rate-read', `${BUDGET}/1h`);
  const statuses: number[] = [];
  let next = 0;
  const sendRequests = async () => {
    while (next < REQUESTS) {
      next += 1;
      statuses.push(await statusOf(servers[next % servers.length]?.url, key));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendRequests));
  const [passed, refused] = [200, 429].map((status) => countOf(statuses, status));
  if (passed !== BUDGET || refused !== REQUESTS - BUDGET) {
    throw new Error(`${passed} of a budget of ${BUDGET} passed, ${refused} were refused`);
  }
  return `${REQUESTS} requests of one key over ${servers.length} server(s): ${passed} passed, its budget, and ${refused} were refused`;
};

/** After a revocation, every server refuses the key. */
export const checkRevocation: Check = async ({ env, accounts, servers }) => {
  const { id, key } = await newKey(env, accounts[0]?.id ?? '');
  const all = () => Promise.all(servers.map(({ url }) => statusOf(url, key)));
  if (countOf(await all(), 200) !== servers.length) {
    throw new Error('not every server accepts a new key');
  }
  await frontdesk(env, 'admin', 'key', 'revoke', id);
  const done = performance.now();
  while (countOf(await all(), 401) !== servers.length) {
    if (performance.now() - done > REVOKED_WITHIN_MS) {
      throw new Error('a server still accepts a revoked key');
    }
  }
  const ms = Math.ceil(performance.now() - done);
  return `a revoked key was refused by every server within ${ms} ms of the command's end`;
};

/**
 * Other workers take over from a killed one: nothing is lost, and repeats have the same event id.
 */
export const survivesKill: Check = async ({ sql, workers }, hooks, subscriptions) => {
  const [victim] = workers;
  if (!victim || workers.length < 2) {
    return 'one worker alone: none was killed';
  }
  hooks.empty();
  hooks.delayMs = SLOW_ANSWER_MS;
  const announced = await occupyAll({ sql, workers }, hooks, subscriptions);
  const before = announced - hooks.arrived.size;
  victim.kill();
  const killedAt = performance.now();
  await until(
    RECOVERED_WITHIN_MS,
    'all events have arrived',
    async () => hooks.arrived.size >= announced,
  );
  const seconds = (performance.now() - killedAt) / 1_000;
  // Repeats may arrive a moment later.
  await sleep(LAST_REPEATS_MS);
  hooks.delayMs = 0;
  const twice = [...hooks.arrived.values()].filter((times) => times > 1).length;
  return `one of ${workers.length} workers was killed while it delivered, with ${before} of ${announced} events to go: all were there ${seconds.toFixed(1)} s later, ${twice} of them twice under the same id`;
};

/**
 * Jobs are assigned randomly: inserts events until each worker has a job. Returns the number of
 * events.
 */
async function occupyAll(
  { sql, workers }: Pick<Stack, 'sql' | 'workers'>,
  { arrived }: Hooks,
  subscriptions: readonly Subscription[],
): Promise<number> {
  const areAll = async () => (await holdersOf(sql)).length === workers.length;
  for (let announced = KILLED_EVENTS; ; announced += KILLED_EVENTS) {
    await announce({ sql }, subscriptions, KILLED_EVENTS);
    await until(
      RECOVERED_WITHIN_MS,
      'every worker delivers, or all is delivered',
      async () => arrived.size >= announced || (arrived.size > 0 && (await areAll())),
    );
    if (announced >= ANNOUNCED_MAX || (await areAll())) {
      return announced;
    }
  }
}

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

async function statusOf(origin = '', key: string): Promise<number> {
  const answer = await fetch(`${origin}/api/v1/contacts?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await answer.arrayBuffer();
  if (answer.status >= 500) {
    throw new Error(`${origin} answered ${answer.status}`);
  }
  return answer.status;
}
