import type { Transact } from '#core/work.ts';
import { dryRun } from '#platform/database/dry-run.ts';
import { expect, test } from '../../support/service.ts';

// Plans that waited for a lock kept all connections: other sub-accounts waited for five seconds.
test('a sub-account has three dry runs at a time, and all of them end', async ({ service }) => {
  const { subAccountId, actor } = service;
  let begun = 0;
  const transact: Transact = (...change) => {
    begun += 1;
    return service.transact(...change);
  };
  const over = Promise.withResolvers<void>();
  const three = Promise.withResolvers<void>();
  let running = 0;
  const runs = Array.from({ length: 8 }, (_, at) =>
    dryRun(transact, subAccountId, actor, async () => {
      running += 1;
      if (running === 3) {
        three.resolve();
      }
      await over.promise;
      return at;
    }),
  );
  await three.promise;
  const begunAtOnce = begun;
  over.resolve();
  expect(await Promise.all(runs)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(begunAtOnce).toBe(3);
});
