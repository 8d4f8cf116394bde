import { join } from 'node:path';
import { allLogged, announce, sampleBody } from '../announce.ts';
import type { Sending } from '../baselines/bare-sender.ts';
import type { Count } from '../baselines/sink.ts';
import type { Ground } from '../ground.ts';
import { median } from '../statistics.ts';
import { rateOf, startReceiver, subscribe, type Receiver, type Subscription } from '../receiver.ts';
import type { Bound, Finding, Scenario } from '../scenario.ts';
import { startServerProcess, startWorkerProcess, until } from '../processes.ts';

/** The goal after this bound is 0.6, also over several subscriptions. */
const AT_LEAST = 0.4;
/** Gives 20,000 deliveries per round at the full size. */
const ROWS_PER_DELIVERY = 50;
const DELIVERIES_MIN = 5_000;
const SEVERAL = 8;
/** Spread over ten sub-accounts: every event goes to six of them. */
const MANY = 60;
const MANY_ACCOUNTS = 10;
const ARRIVE_MS = 60_000;

const BARE_SENDER = new URL('../baselines/bare-sender.ts', import.meta.url).pathname;

export const deliverWebhooks: Scenario = {
  name: 'deliver-webhooks',
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      return await measureSides({ ...ground, resources });
    } finally {
      await resources.disposeAsync();
    }
  },
};

/** Subscriptions that get the posts of a round together. */
interface Side {
  readonly what: string;
  readonly subscriptions: readonly Subscription[];
  /** Subscriptions per sub-account. */
  readonly copies: number;
  readonly bound?: Bound;
}

interface Setting {
  readonly ground: Ground;
  readonly receiver: Receiver;
  readonly bare: (posts: number) => Promise<void>;
  readonly posts: number;
}

async function measureSides(ground: Ground): Promise<Finding[]> {
  const posts = Math.max(DELIVERIES_MIN, ground.sizing.rows / ROWS_PER_DELIVERY);
  const receiver = await startReceiver(ground);
  await startWorkerProcess(ground);
  const one = await subscribe(ground, ground.small.id, receiver);
  const bare = await startBareSender(ground, receiver, await sampleBody(ground, one));
  const setting: Setting = { ground, receiver, bare, posts };
  const found = await withOthers(setting, SEVERAL, (several) =>
    compareSides(setting, [
      {
        what: 'every attempt logged; bare: undici, 24 at once',
        subscriptions: [one],
        copies: 1,
        bound: { atLeast: AT_LEAST },
      },
      {
        what: `the same, over ${SEVERAL} subscriptions`,
        subscriptions: several,
        copies: 1,
      },
    ]),
  );
  const copies = MANY / MANY_ACCOUNTS;
  const many = await withOthers(setting, MANY, (subscriptions) =>
    compareSides({ ...setting, posts: Math.floor(posts / MANY) * MANY }, [
      { what: `the same, over ${MANY} subscriptions`, subscriptions, copies },
    ]),
  );
  return [...found, ...many];
}

/** Subscribes this many times in the other sub-accounts, in turn, as long as `run` takes. */
async function withOthers<R>(
  { ground, receiver }: Setting,
  count: number,
  run: (subscriptions: readonly Subscription[]) => Promise<R>,
): Promise<R> {
  await using resources = new AsyncDisposableStack();
  const { rows } = await ground.sql.query<{ id: string }>(
    `select id from sub_accounts where id <> $1 order by id limit ${Math.min(count, MANY_ACCOUNTS)}`,
    [ground.small.id],
  );
  const subscriptions: Subscription[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = rows[n % rows.length] as { id: string };
    subscriptions.push(await subscribe({ ...ground, resources }, id, receiver));
  }
  // Not without `await`: the subscriptions would be removed before it ends.
  return await run(subscriptions);
}

/** All sides get the same number of posts; the first round warms up. */
async function compareSides(setting: Setting, sides: readonly Side[]): Promise<Finding[]> {
  const { ground, receiver, bare, posts } = setting;
  const rounds: { readonly bare: number; readonly product: readonly number[] }[] = [];
  for (let round = 0; round <= ground.sizing.rounds; round += 1) {
    const sent = await counted(receiver, posts, () => bare(posts));
    const product: number[] = [];
    for (const { subscriptions, copies } of sides) {
      const accounts = subscriptions.slice(0, subscriptions.length / copies);
      const delivered = await counted(receiver, posts, () =>
        announce(ground, accounts, posts / copies),
      );
      await allLogged(ground, subscriptions, posts * (round + 1));
      if (sent.bytes !== delivered.bytes) {
        throw new Error(`the bodies differ: ${sent.bytes} and ${delivered.bytes} bytes`);
      }
      product.push(rateOf(delivered));
    }
    rounds.push({ bare: rateOf(sent), product });
  }
  const measured = rounds.slice(1);
  return sides.map(({ what, bound }, index) => {
    const perSecond = measured.map((round) => round.product[index] ?? 0);
    return {
      what,
      unit: 'deliveries/s',
      bare: median(measured.map((round) => round.bare)),
      product: median(perSecond),
      ratio: median(measured.map((round, n) => (perSecond[n] ?? 0) / round.bare)),
      ...(bound && { bound }),
    };
  });
}

async function startBareSender(
  { scratch, resources }: Ground,
  { url }: Receiver,
  body: string,
): Promise<(posts: number) => Promise<void>> {
  const sender = await startServerProcess({
    command: (port) => [process.execPath, BARE_SENDER, String(port)],
    env: {},
    logFile: join(scratch, 'bare-sender.log'),
    resources,
  });
  return async (posts) => {
    const sending: Sending = { url, body, posts };
    const answer = await fetch(sender.url, { method: 'POST', body: JSON.stringify(sending) });
    if (!answer.ok) {
      throw new Error(`the bare sender failed: ${await answer.text()}`);
    }
  };
}

/** Starts the posts and returns their arrivals. */
export async function counted(
  receiver: Receiver,
  posts: number,
  setOff: () => Promise<void>,
): Promise<Count> {
  await receiver.forget();
  await setOff();
  let seen = await receiver.count();
  await until(ARRIVE_MS, `${posts} posts have arrived`, async () => {
    seen = await receiver.count();
    return seen.count >= posts;
  });
  return seen;
}
