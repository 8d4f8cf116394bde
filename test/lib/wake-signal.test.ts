import { expect, test, vi } from 'vitest';
import { newWakeSignal } from '#lib/wake-signal.ts';

/** Waits that have returned, by name, in order. */
function waits(signal = newWakeSignal()) {
  const woken: string[] = [];
  return {
    signal,
    woken,
    wait: (name: string, withinMs?: number) =>
      signal.wait(withinMs).then(() => void woken.push(name)),
  };
}

/** Everything that is due on the microtask queue has run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('several notifications before a wait wake it once', async () => {
  const { signal, wait, woken } = waits();
  signal.notify();
  signal.notify();
  await wait('first');
  void wait('second');
  await settled();
  expect(woken).toEqual(['first']);
});

test('a notification wakes every waiting caller, and no later one', async () => {
  const { signal, wait, woken } = waits();
  const both = [wait('one'), wait('other')];
  signal.notify();
  await Promise.all(both);
  void wait('later');
  await settled();
  expect(woken).toEqual(['one', 'other']);
});

test('a notification before the next wait of a woken caller is kept for that wait', async () => {
  const { signal, wait, woken } = waits();
  const one = wait('one').then(() => signal.notify());
  const other = wait('other');
  signal.notify();
  await Promise.all([one, other]);
  await wait('next');
  expect(woken.toSorted()).toEqual(['next', 'one', 'other']);
});

test('a wait that times out wakes no other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { signal, wait, woken } = waits();
    const patient = wait('patient');
    void wait('timed', 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(woken).toEqual(['timed']);
    signal.notify();
    await patient;
    expect(woken).toEqual(['timed', 'patient']);
  } finally {
    vi.useRealTimers();
  }
});

test('a wait that timed out takes no notification from the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { signal, wait, woken } = waits();
    const timed = wait('timed', 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    await timed;
    signal.notify();
    await wait('next');
    expect(woken).toEqual(['timed', 'next']);
  } finally {
    vi.useRealTimers();
  }
});
