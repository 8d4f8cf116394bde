import { join } from 'node:path';
import { allLogged, announce, sampleBody } from '../announce.ts';
import type { Sending } from '../baselines/bare-sender.ts';
import type { Count } from '../baselines/sink.ts';
import type { Ground } from '../ground.ts';
import { median } from '../statistics.ts';
import { rateOf, startReceiver, subscribe, type Receiver, type Subscription } from '../receiver.ts';
import type { Finding, Scenario } from '../scenario.ts';
import { startServerProcess, startWorkerProcess, until } from '../processes.ts';

/** The goal after this bound is 0.5. */
const AT_LEAST = 0.4;
/** Gives 20,000 deliveries per round at the full size. */
const ROWS_PER_DELIVERY = 50;
const DELIVERIES_MIN = 5_000;
const SEVERAL = 8;
const ARRIVE_MS = 60_000;

const BARE_SENDER = new URL('../baselines/bare-sender.ts', import.meta.url).pathname;

export const deliverWebhooks: Scenario = {
  name: 'deliver-webhooks',
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      return findingsOf(await rounds({ ...ground, resources }));
    } finally {
      await resources.disposeAsync();
    }
  },
};

/** Deliveries per second of the three sides. */
interface Round {
  readonly bare: number;
  readonly one: number;
  readonly several: number;
}

/** All sides get the same number of posts; the first round warms up. */
async function rounds(ground: Ground): Promise<Round[]> {
  const posts = Math.max(DELIVERIES_MIN, ground.sizing.rows / ROWS_PER_DELIVERY);
  const receiver = await startReceiver(ground);
  await startWorkerProcess(ground);
  const one = await subscribe(ground, ground.small.id, receiver);
  const several = await subscribeSeveral(ground, receiver);
  const bare = await startBareSender(ground, receiver, await sampleBody(ground, one));
  const found: Round[] = [];
  for (let round = 0; round <= ground.sizing.rounds; round += 1) {
    const sent = await counted(receiver, posts, () => bare(posts));
    const delivered = await counted(receiver, posts, () => announce(ground, [one], posts));
    await allLogged(ground, [one], posts * (round + 1));
    const spread = await counted(receiver, posts, () => announce(ground, several, posts));
    await allLogged(ground, several, posts * (round + 1));
    if (sent.bytes !== delivered.bytes) {
      throw new Error(`the bodies differ: ${sent.bytes} and ${delivered.bytes} bytes`);
    }
    found.push({ bare: rateOf(sent), one: rateOf(delivered), several: rateOf(spread) });
  }
  return found.slice(1);
}

async function subscribeSeveral(ground: Ground, receiver: Receiver): Promise<Subscription[]> {
  const { rows } = await ground.sql.query<{ id: string }>(
    `select id from sub_accounts where id <> $1 order by id limit ${SEVERAL}`,
    [ground.small.id],
  );
  const subscriptions: Subscription[] = [];
  for (const { id } of rows) {
    subscriptions.push(await subscribe(ground, id, receiver));
  }
  return subscriptions;
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

function findingsOf(found: readonly Round[]): Finding[] {
  const bare = median(found.map((round) => round.bare));
  const finding = (what: string, side: 'one' | 'several'): Finding => ({
    what,
    unit: 'deliveries/s',
    bare,
    product: median(found.map((round) => round[side])),
    ratio: median(found.map((round) => round[side] / round.bare)),
  });
  return [
    {
      ...finding('every attempt logged; bare: undici, 24 at once', 'one'),
      bound: { atLeast: AT_LEAST },
    },
    finding(`the same, over ${SEVERAL} subscriptions`, 'several'),
  ];
}
