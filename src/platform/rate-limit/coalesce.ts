import type { Spent } from '#core/rate-limiter.ts';
import { distribute, gather, type Share } from './batch.ts';
import type { RateStore, Consumption } from './rate-store.ts';

/** One keeps first come, first served across batches; two measured no faster. */
const BATCHES_IN_FLIGHT = 1;

interface WaitingCaller extends Consumption {
  resolve(spent: Spent): void;
  reject(error: unknown): void;
}

/**
 * Spends one at a time over a store that is asked in batches: a lone spending leaves at once, those
 * that come while a round trip is under way share the next one. Rejects with the store's error.
 */
export function coalesce(store: RateStore): (consumption: Consumption) => Promise<Spent> {
  let queue: WaitingCaller[] = [];
  let inFlight = 0;

  function sendQueue(): void {
    while (inFlight < BATCHES_IN_FLIGHT && queue.length > 0) {
      const { shares, rest } = gather(queue);
      queue = rest;
      inFlight += 1;
      void settle(store, shares).finally(() => {
        inFlight -= 1;
        sendQueue();
      });
    }
  }

  return (consumption) =>
    new Promise((resolve, reject) => {
      queue.push({ ...consumption, resolve, reject });
      sendQueue();
    });
}

async function settle(store: RateStore, shares: readonly Share<WaitingCaller>[]): Promise<void> {
  try {
    const wholes = await store.consumeMany(shares);
    for (const [index, { bucket, members }] of shares.entries()) {
      const whole = wholes[index];
      if (!whole) {
        throw new Error(`the rate store gave no answer for ${bucket}`);
      }
      const parts = distribute(members, whole);
      members.forEach((member, place) => member.resolve(parts[place]!));
    }
  } catch (error) {
    // Those already answered keep their answer: settling twice has no effect.
    for (const member of shares.flatMap(({ members }) => members)) {
      member.reject(error);
    }
  }
}
