import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openSuspectGate, Postponed, type AloneRun } from '#platform/queue/suspect-gate.ts';

const HANGS = new Promise<void>(() => undefined);
const { signal } = new AbortController();

/** A gate whose clock the test moves. */
function arrange(aloneMs: number) {
  let ms = 0;
  const gate = openSuspectGate({ aloneMs, now: () => ms });
  const alone = (handle: () => Promise<void>, run: Partial<AloneRun> = {}) => ({
    mark: async () => undefined,
    endAlone: async () => undefined,
    handle,
    signal,
    ...run,
  });
  return { gate, alone, pass: (by: number) => (ms += by) };
}

const postponedBy = async (start: Promise<void>) => {
  const error = await start.catch((reason: unknown) => reason);
  return error instanceof Postponed ? error.ms : undefined;
};

test('suspects that hang start one after another, and no other job waits for them', async () => {
  const { gate, pass } = arrange(2_000);
  const suspect = vi.fn<() => Promise<void>>(() => HANGS);
  const other = vi.fn<() => Promise<void>>(async () => undefined);
  for (let n = 1; n <= 50; n += 1) {
    void gate.startNext(suspect).catch(() => undefined);
    void gate.start(other, signal);
    expect(other).toHaveBeenCalledTimes(n);
    expect(suspect).toHaveBeenCalledOnce();
  }
  pass(2_000);
  void gate.startNext(suspect);
  expect(suspect).toHaveBeenCalledTimes(2);
});

test('a suspect starts as soon as the previous one has ended', async () => {
  const { gate } = arrange(2_000);
  await gate.startNext(async () => undefined);
  await expect(gate.startNext(async () => undefined)).resolves.toBeUndefined();
});

test('postponed suspects come back one after another', async () => {
  const { gate } = arrange(2_000);
  void gate.startNext(() => HANGS);
  const waits = [];
  for (let n = 0; n < 3; n += 1) {
    waits.push(await postponedBy(gate.startNext(() => HANGS)));
  }
  expect(waits).toEqual([100, 200, 300]);
});

test('a suspect alone starts after the running jobs, and before those that come later', async () => {
  const { gate, alone } = arrange(3_600_000);
  const order: string[] = [];
  const earlier = Promise.withResolvers<void>();
  const suspect = Promise.withResolvers<void>();
  const run = (name: string, until: Promise<void>) => async () => {
    order.push(name);
    await until;
  };
  void gate.start(run('earlier', earlier.promise), signal);
  const mark = vi.fn<AloneRun['mark']>(async () => undefined);
  const isDone = gate.startAlone(alone(run('suspect', suspect.promise), { mark }), 1);
  const later = gate.start(run('later', Promise.resolve()), signal);
  await nextTick();
  expect(order).toEqual(['earlier']);
  earlier.resolve();
  await nextTick();
  expect(order).toEqual(['earlier', 'suspect']);
  expect(mark).toHaveBeenCalledExactlyOnceWith(true);
  suspect.resolve();
  await Promise.all([isDone, later]);
  expect(order).toEqual(['earlier', 'suspect', 'later']);
});

test('a suspect that hangs alone lets other jobs start once that is recorded', async () => {
  const { gate, alone } = arrange(5);
  const recorded = Promise.withResolvers<void>();
  const endAlone = vi.fn<AloneRun['endAlone']>(() => recorded.promise);
  void gate.startAlone(
    alone(() => HANGS, { endAlone }),
    1,
  );
  const other = vi.fn<() => Promise<void>>(async () => undefined);
  const others = Array.from({ length: 50 }, () => gate.start(other, signal));
  await vi.waitFor(() => expect(endAlone).toHaveBeenCalledOnce(), { timeout: 60_000 });
  await nextTick();
  expect(other).not.toHaveBeenCalled();
  recorded.resolve();
  await Promise.all(others);
  expect(other).toHaveBeenCalledTimes(50);
});

test('a suspect that finds no moment without other jobs starts beside them', async () => {
  const { gate, alone } = arrange(5);
  void gate.start(() => HANGS, signal);
  const mark = vi.fn<AloneRun['mark']>(async () => undefined);
  await gate.startAlone(
    alone(async () => undefined, { mark }),
    1,
  );
  expect(mark).toHaveBeenCalledExactlyOnceWith(false);
});

test('other jobs run four times as long as they waited before the next suspect runs alone', async () => {
  const { gate, alone, pass } = arrange(3_600_000);
  await gate.startAlone(
    alone(async () => void pass(2_000)),
    1,
  );
  const next = alone(async () => undefined);
  expect(await postponedBy(gate.startAlone(next, 1))).toBe(8_000);
  pass(7_999);
  expect(await postponedBy(gate.startAlone(next, 1))).toBe(100);
  pass(1);
  await expect(gate.startAlone(next, 1)).resolves.toBeUndefined();
});

test('jobs that wait for a suspect end with their worker', async () => {
  const { gate, alone } = arrange(3_600_000);
  const ending = new AbortController();
  void gate.startAlone(
    alone(() => HANGS),
    1,
  );
  const other = vi.fn<() => Promise<void>>(async () => undefined);
  const waiting = gate.start(other, ending.signal);
  ending.abort(new Error('the worker has to stop'));
  await expect(waiting).rejects.toThrow('the worker has to stop');
  expect(other).not.toHaveBeenCalled();
});
