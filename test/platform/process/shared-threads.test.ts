import { setImmediate as nextCycle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TooManyWait } from '#lib/gate.ts';
import { shareThreads } from '#platform/process/shared-threads.ts';

/** Threads whose work ends when `end` is called with it. */
function openThreads(waitingMax?: number) {
  const works = new Map<string, PromiseWithResolvers<string>>();
  const begun: string[] = [];
  const run = shareThreads<string, string>({
    threads: 3,
    ...(waitingMax !== undefined && { waitingMax }),
    open: () => ({
      run(work) {
        begun.push(work);
        const ended = Promise.withResolvers<string>();
        works.set(work, ended);
        return ended.promise;
      },
    }),
  });
  return { run, begun, end: (work: string) => works.get(work)?.resolve(work) };
}

test('a holder uses one thread at a time, and others do not wait for it', async () => {
  const { run, begun, end } = openThreads();
  const slow = [run('a', 'a1'), run('a', 'a2')];
  const other = run('b', 'b1');
  await nextCycle();
  expect(begun).toEqual(['a1', 'b1']);
  end('b1');
  expect(await other).toBe('b1');
  end('a1');
  await slow[0];
  await nextCycle();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  end('a2');
  expect(await Promise.all(slow)).toEqual(['a1', 'a2']);
});

test('no more inputs of a holder wait than allowed, and other holders are not refused', async () => {
  const { run, begun, end } = openThreads(1);
  const running = run('a', 'a1');
  const waiting = run('a', 'a2');
  await expect(run('a', 'a3')).rejects.toBeInstanceOf(TooManyWait);
  const other = run('b', 'b1');
  for (const work of ['b1', 'a1', 'a2']) {
    await expect.poll(() => begun).toContain(work);
    end(work);
  }
  expect(await Promise.all([running, waiting, other])).toEqual(['a1', 'a2', 'b1']);
});

test('an input that waits does not run once its signal is aborted', async () => {
  const { run, begun, end } = openThreads();
  const running = run('a', 'a1');
  const abort = new AbortController();
  const waiting = run('a', 'a2', abort.signal);
  abort.abort(new Error('late'));
  await expect(waiting).rejects.toThrow('late');
  end('a1');
  expect(await running).toBe('a1');
  expect(begun).toEqual(['a1']);
});
