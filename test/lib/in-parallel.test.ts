import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { inParallel } from '#lib/in-parallel.ts';

function source(count: number) {
  let n = 0;
  return () => Promise.resolve(n < count ? (n += 1) : undefined);
}
const defaults = { atOnce: 3, settleEveryMs: 5, settleAt: 4 };

describe('inParallel', () => {
  test('processes and settles every item once', async () => {
    const settled: number[] = [];
    await inParallel<number, number>({
      ...defaults,
      next: source(100),
      act: async (n) => n,
      settle: async (done) => void settled.push(...done),
    });
    expect(settled.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  test('processes at most the given number at once', async () => {
    let running = 0;
    let most = 0;
    await inParallel<number, void>({
      ...defaults,
      next: source(30),
      async act() {
        running += 1;
        most = Math.max(most, running);
        await sleep(1);
        running -= 1;
      },
      settle: () => Promise.resolve(),
    });
    expect(most).toBe(3);
  });

  test('settles finished items while another one hangs', async () => {
    const hanging = Promise.withResolvers<void>();
    const settled: number[] = [];
    await inParallel<number, number>({
      ...defaults,
      next: source(20),
      act: async (n) => (n === 1 ? hanging.promise.then(() => n) : n),
      async settle(done) {
        settled.push(...done);
        if (settled.length === 19) {
          hanging.resolve();
        }
      },
    });
    expect(settled.at(-1)).toBe(1);
  });

  test.each(['next', 'act', 'settle'] as const)(
    'ends with the error of %s once what had begun is over, and begins nothing more',
    async (part) => {
      const boom = () => Promise.reject(new Error(part));
      let begun = 0;
      let ended = 0;
      const next = source(1_000);
      const run = inParallel<number, number>({
        ...defaults,
        next: () => (part === 'next' && begun > 5 ? boom() : next()),
        async act(n) {
          begun += 1;
          if (part === 'act' && n === 6) {
            return boom();
          }
          await sleep(2);
          ended += 1;
          return n;
        },
        settle: () => (part === 'settle' ? boom() : Promise.resolve()),
      });
      await expect(run).rejects.toThrow(part);
      expect(begun).toBeLessThan(50);
      expect(ended).toBe(begun - (part === 'act' ? 1 : 0));
    },
  );
});
