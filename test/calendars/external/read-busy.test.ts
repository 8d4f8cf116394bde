import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { readBusy } from '../../../src/calendars/external/read-busy.ts';

const QUERY = {
  from: Date.UTC(2026, 0, 1),
  until: Date.UTC(2027, 0, 1),
  timezone: 'Europe/Berlin',
  own: [],
};
const MINUTE_MS = 60_000;
const THREADS_OF_ONE = 2;

const calendar = (...lines: readonly string[]) =>
  [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTART:20260101T000000Z',
    'DURATION:PT1H',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');

/** Its rule never matches. */
const ENDLESS = calendar('RRULE:FREQ=SECONDLY;INTERVAL=86400;BYHOUR=3');

function openReader() {
  const begun: Worker[] = [];
  const onBegun = (message: unknown) => begun.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', onBegun);
  onTestFinished(() => void unsubscribe('worker_threads', onBegun));
  const end = new AbortController();
  const read = (text: string, subAccountId: string) =>
    readBusy([text], async () => ({ query: QUERY }), {
      subAccountId,
      signal: end.signal,
      timeoutMs: MINUTE_MS,
    });
  return { begun, end: () => end.abort(), read };
}

test('calendars of one sub-account take half of the threads, and leave the others to others', async () => {
  const { begun, end, read } = openReader();
  const reading = Array.from({ length: 10 }, () => read(ENDLESS, 'a'));
  await expect.poll(() => begun.length).toBe(THREADS_OF_ONE);
  expect((await read(calendar(), 'b')).busy?.periods).toHaveLength(1);
  expect(begun).toHaveLength(THREADS_OF_ONE + 1);
  end();
  const ended = await Promise.allSettled(reading);
  expect(new Set(ended.map((one) => String((one as PromiseRejectedResult).reason)))).toEqual(
    new Set(['Error: it takes too long to read']),
  );
});

test('an error of a thread that is being ended is heard', async () => {
  const { begun, end, read } = openReader();
  const reading = read(ENDLESS, 'a');
  await expect.poll(() => begun.length).toBe(1);
  end();
  expect(begun.map((thread) => thread.emit('error', new Error('out of memory')))).toEqual([true]);
  await expect(reading).rejects.toThrow('too long');
});

test('a large calendar is passed to its thread without a copy, and a small one is not passed if it is known', async () => {
  const { begun } = openReader();
  const reader = { subAccountId: 'a', signal: new AbortController().signal, timeoutMs: MINUTE_MS };
  const large = new Uint8Array(Buffer.from(calendar(`DESCRIPTION:${'x'.repeat(100_000)}`)));
  const plan = async () => ({ query: QUERY });
  expect((await readBusy([large], plan, reader)).busy?.periods).toHaveLength(1);
  expect(large).toHaveLength(0);
  expect(begun).toHaveLength(1);

  const small = Buffer.from(calendar());
  const known = await readBusy([small], async ({ ids }) => ({ query: undefined, ids }), reader);
  expect(known).toEqual({ plan: { query: undefined, ids: [] }, busy: undefined });
  expect(begun).toHaveLength(1);
});
