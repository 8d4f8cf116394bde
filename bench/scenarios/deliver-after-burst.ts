import { allLogged, announce, announceTogether } from '../announce.ts';
import type { Ground } from '../ground.ts';
import { machineMs } from '../machine.ts';
import { median } from '../statistics.ts';
import { rateOf, startReceiver, subscribe, type Receiver } from '../receiver.ts';
import type { Scenario } from '../scenario.ts';
import { startWorkerProcess, until } from '../processes.ts';

const FIRST_AT_MOST_MS = 1_000;
/** Relative to the rate without a burst. */
const RATE_AT_LEAST = 0.8;
/** Gives 100,000 events per burst at the full size. */
const ROWS_PER_EVENT = 10;
const USUAL_SHARE = 5;
const USUAL_ROUNDS = 3;
const ARRIVE_MS = 180_000;

/** The same number of events of another sub-account is published before or in between. */
export const deliverAfterBurst: Scenario = {
  name: 'deliver-after-burst',
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      const events = ground.sizing.rows / ROWS_PER_EVENT;
      const { usual, after, firstMs } = await ratesOf({ ...ground, resources }, events);
      return [
        {
          what: `first of ${events} webhooks, announced with as many events of another sub-account`,
          unit: 'ms',
          product: firstMs,
          bound: { atMost: FIRST_AT_MOST_MS },
        },
        {
          what: 'all of them; baseline: without the others',
          unit: 'deliveries/s',
          bare: usual,
          product: after,
          ratio: after / usual,
          bound: { atLeast: RATE_AT_LEAST },
        },
      ];
    } finally {
      await resources.disposeAsync();
    }
  },
};

async function ratesOf(ground: Ground, events: number) {
  const receiver = await startReceiver(ground);
  await startWorkerProcess(ground);
  const one = await subscribe(ground, ground.small.id, receiver);
  const few = events / USUAL_SHARE;
  const usual: number[] = [];
  for (let round = 0; round <= USUAL_ROUNDS; round += 1) {
    await receiver.forget();
    await announce(ground, [one], few);
    usual.push(await arrived(receiver, few));
    await allLogged(ground, [one], few * (round + 1));
  }
  await receiver.forget();
  await announceTogether(ground, [ground.spare.id, one.subAccountId], events);
  const announcedAt = machineMs();
  const after = await arrived(receiver, events);
  const { firstMs } = await receiver.count();
  await allLogged(ground, [one], few * usual.length + events);
  // The first round warms up.
  return { usual: median(usual.slice(1)), after, firstMs: firstMs - announcedAt };
}

async function arrived(receiver: Receiver, posts: number): Promise<number> {
  await until(
    ARRIVE_MS,
    `${posts} posts have arrived`,
    async () => (await receiver.count()).count >= posts,
  );
  return rateOf(await receiver.count());
}
