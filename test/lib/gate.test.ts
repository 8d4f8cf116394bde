import { expect, test } from 'vitest';
import { openGate, withLatePlace } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';

/** Calls run until `release` is called with their name. The holder is its first letter. */
function openCalls(places: number) {
  const gate = openGate({ shares: openShares<string>(places), waitingMax: 10 });
  const begun: string[] = [];
  const released = new Map<string, PromiseWithResolvers<string>>();
  const release = (name: string) => released.get(name)?.resolve(name);
  const call = (name: string, signal?: AbortSignal) => {
    const end = Promise.withResolvers<string>();
    released.set(name, end);
    const act = () => {
      begun.push(name);
      return end.promise;
    };
    return gate.run(name.charAt(0), act, signal);
  };
  return { call, begun, release };
}

test('a place that becomes free goes to the holder that waits longest', async () => {
  const { call, begun, release } = openCalls(2);
  const calls = new Map(
    ['a1', 'a2', 'b1', 'b2', 'b3', 'c1'].map((name) => [name, call(name)] as const),
  );
  for (const name of ['b1', 'a1', 'b2', 'c1', 'a2', 'b3']) {
    release(name);
    expect(await calls.get(name)).toBe(name);
  }
  expect(begun).toEqual(['a1', 'b1', 'b2', 'a2', 'c1', 'b3']);
});

test('a call that waits is given up with its signal, and takes no place', async () => {
  const { call, begun, release } = openCalls(2);
  const held = call('a1');
  const late = new AbortController();
  const waiting = call('a2', late.signal);
  const next = call('a3');
  late.abort(new Error('too late'));
  await expect(waiting).rejects.toThrow('too late');
  await expect(call('a4', late.signal)).rejects.toThrow('too late');
  release('a1');
  await held;
  release('a3');
  expect(await next).toBe('a3');
  expect(begun).toEqual(['a1', 'a3']);
});

test('no more calls wait than allowed', async () => {
  const { call, release } = openCalls(2);
  const held = call('a1');
  const waiting = Array.from({ length: 10 }, (_, n) => call(`a${n + 2}`));
  await expect(call('a12')).rejects.toThrow('too many calls of a wait');
  for (let n = 1; n <= 11; n += 1) {
    release(`a${n}`);
    await (n === 1 ? held : waiting[n - 2]);
  }
});

test('a place that is taken late is left at the end, also by a call that still waits for it', async () => {
  const gate = openGate({ shares: openShares<string>(2) });
  const until = Promise.withResolvers<void>();
  const first = withLatePlace(gate, 'a', async (takePlace) => {
    await takePlace();
    await takePlace();
    await until.promise;
  });
  let waited: Promise<void> | undefined;
  await withLatePlace(gate, 'a', async (takePlace) => {
    waited = takePlace();
  });
  await expect(waited).rejects.toThrow('aborted');
  until.resolve();
  await first;
  expect(await gate.run('a', async () => 'free')).toBe('free');
});
