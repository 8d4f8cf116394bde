import { Client } from 'pg';
import { allLogged, announce } from '../announce.ts';
import type { Ground } from '../ground.ts';
import { startWorkerProcess, until } from '../processes.ts';
import { rateOf, startReceiver, subscribe, type Subscription } from '../receiver.ts';
import type { Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';

/** Relative to the rate without the transaction. */
const RATE_AT_LEAST = 0.8;
/** Gives 20,000 events per round at the full size. */
const ROWS_PER_EVENT = 50;
const ACCOUNTS = 10;
const ROUNDS = 4;
const ARRIVE_MS = 180_000;

/** PostgreSQL keeps the rows of published events as long as the transaction is open. */
export const deliverBesideTransaction: Scenario = {
  name: 'deliver-beside-transaction',
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      const round = await openRounds({ ...ground, resources });
      const usual = await round();
      await using _ = await openTransaction(ground);
      // The first rounds leave the rows that the last ones must not pass.
      await round();
      const beside = await round();
      return [
        {
          what: `webhooks of ${ACCOUNTS} sub-accounts beside an open transaction; baseline: without`,
          unit: 'deliveries/s',
          bare: usual,
          product: beside,
          ratio: beside / usual,
          bound: { atLeast: RATE_AT_LEAST },
        },
      ];
    } finally {
      await resources.disposeAsync();
    }
  },
};

/** Returns a function that delivers `ROUNDS` rounds of events and returns their median rate. */
async function openRounds(ground: Ground): Promise<() => Promise<number>> {
  const receiver = await startReceiver(ground);
  await startWorkerProcess(ground);
  const { rows } = await ground.sql.query<{ id: string }>(
    'select id from sub_accounts order by id limit $1',
    [ACCOUNTS],
  );
  const subscriptions: Subscription[] = [];
  for (const { id } of rows) {
    subscriptions.push(await subscribe(ground, id, receiver));
  }
  const events = Math.floor(ground.sizing.rows / ROWS_PER_EVENT / rows.length) * rows.length;
  let announced = 0;
  return async () => {
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await receiver.forget();
      await announce(ground, subscriptions, events);
      announced += events;
      const arrived = async () => (await receiver.count()).count >= events;
      await until(ARRIVE_MS, `${events} posts have arrived`, arrived);
      rates.push(rateOf(await receiver.count()));
      await allLogged(ground, subscriptions, announced);
    }
    return median(rates);
  };
}

/** Opens a transaction with a snapshot, as a backup does, until it is disposed of. */
async function openTransaction({ env }: Ground): Promise<AsyncDisposable> {
  const client = new Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select from outbox limit 1');
  return { [Symbol.asyncDispose]: () => client.end() };
}
