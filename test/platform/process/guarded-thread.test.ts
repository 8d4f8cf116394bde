import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { setImmediate as nextCycle } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { openGuardedThread } from '#platform/process/guarded-thread.ts';

/** Echoes its inputs, and never ends with "endless". */
const FILE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (value) => {
      while (value === 'endless') {}
      parentPort.postMessage({ value });
    });
  `)}`,
);

function openThread() {
  const begun: Worker[] = [];
  const onBegun = (message: unknown) => begun.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', onBegun);
  onTestFinished(() => void unsubscribe('worker_threads', onBegun));
  const limits = { deadlineMs: 600_000, memoryMaxMb: 64, idleMs: 600_000 };
  const thread = openGuardedThread<string, string>({ file: FILE, ...limits });
  onTestFinished(async () => void (await Promise.all(begun.map((one) => one.terminate()))));
  return { thread, begun };
}

test('an input whose signal is aborted ends the thread, and the next input starts another', async () => {
  const { thread, begun } = openThread();
  expect(await thread.run('first')).toBe('first');
  const end = new AbortController();
  const running = thread.run('endless', end.signal);
  const ended = once(begun[0] as Worker, 'exit');
  await nextCycle();
  end.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  await ended;
  expect(await thread.run('next')).toBe('next');
  expect(begun).toHaveLength(2);
});

test('an input whose signal is aborted before its start does not run', async () => {
  const { thread, begun } = openThread();
  const late = AbortSignal.abort(new Error('late'));
  await expect(thread.run('endless', late)).rejects.toThrow('late');
  expect(begun).toEqual([]);
});
