import { expect, onTestFinished, test, vi } from 'vitest';
import { migrations } from '#registry/migrations.ts';
import { openReadiness } from '../../../src/commands/server/readiness.ts';

test('a database that hangs is not ready after 5 s, and is asked once at a time', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: string[] = [];
  const { promise: hanging, resolve: goOn } = Promise.withResolvers<any[]>();
  const rows = (text: string): Promise<any[]> => {
    asked.push(text);
    return asked.length === 1 ? hanging : Promise.resolve([...migrations]);
  };
  const requireReady = openReadiness({ rows });
  const first = requireReady().catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(4_000);
  const second = requireReady();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toContain('did not answer within 5 s');
  expect(asked).toHaveLength(1);
  goOn([{ there: true }]);
  await expect(second).resolves.toBeUndefined();
  await expect(requireReady()).rejects.toThrow('lacks');
  expect(vi.getTimerCount()).toBe(0);
});
