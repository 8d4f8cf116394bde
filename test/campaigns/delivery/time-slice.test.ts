import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newId } from '#lib/id.ts';
import { openTimeSlice } from '../../../src/campaigns/delivery/time-slice.ts';

const SLICE_MS = 3_000;
const SHORT_MS = 250;

const isAwaited = () => true;
const hanging = () => new Promise<never>(() => undefined);
const replyingAfter = (ms: number) => () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

describe('a time slice', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Runs for some time, and returns whether the slice is over then. */
  async function isOverAfter({ over }: { readonly over: AbortSignal }, ms: number) {
    await vi.advanceTimersByTimeAsync(ms);
    return over.aborted;
  }

  test('ends after three seconds, however fast the mail server is', async () => {
    const slice = openTimeSlice(newId(new Date()), isAwaited);
    for (let at = 0; at < SLICE_MS - 10; at += 10) {
      void slice.mail(replyingAfter(5));
      expect(await isOverAfter(slice, 10)).toBe(false);
    }
    expect(await isOverAfter(slice, 10)).toBe(true);
  });

  test('ends early if no mail is settled while others wait', async () => {
    const slice = openTimeSlice(newId(new Date()), isAwaited);
    void slice.mail(hanging);
    expect(await isOverAfter(slice, SHORT_MS - 1)).toBe(false);
    expect(await isOverAfter(slice, 1)).toBe(true);
  });

  test('does not end early while no other sub-account waits, but as soon as one does', async () => {
    let waits = false;
    const slice = openTimeSlice(newId(new Date()), () => waits);
    void slice.mail(hanging);
    expect(await isOverAfter(slice, SLICE_MS / 2)).toBe(false);
    waits = true;
    expect(await isOverAfter(slice, 50)).toBe(true);
  });

  test('does not end early while some mails are settled beside others that hang', async () => {
    const slice = openTimeSlice(newId(new Date()), isAwaited);
    void slice.mail(hanging);
    for (let at = 0; at < SLICE_MS - 200; at += 200) {
      void slice.mail(replyingAfter(190));
      expect(await isOverAfter(slice, 200)).toBe(false);
    }
    expect(await isOverAfter(slice, 200)).toBe(true);
  });

  test('does not end early while no mail is in flight, as with a low rate', async () => {
    const slice = openTimeSlice(newId(new Date()), isAwaited);
    expect(await isOverAfter(slice, SLICE_MS - 1)).toBe(false);
    expect(await isOverAfter(slice, 1)).toBe(true);
  });

  test('is whole for a slow server whose last mail took less than a slice', async () => {
    const subAccountId = newId(new Date());
    const first = openTimeSlice(subAccountId, isAwaited);
    void first.mail(replyingAfter(1_000));
    expect(await isOverAfter(first, SHORT_MS)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    const second = openTimeSlice(subAccountId, isAwaited);
    for (let at = 0; at < SLICE_MS - 1_000; at += 1_000) {
      void second.mail(replyingAfter(1_000));
      expect(await isOverAfter(second, 1_000)).toBe(false);
    }
    expect(await isOverAfter(second, 1_000)).toBe(true);
  });

  test('is short again for a server whose last mail took longer than a slice', async () => {
    const subAccountId = newId(new Date());
    for (const took of [1_000, SLICE_MS, 1]) {
      const slice = openTimeSlice(subAccountId, isAwaited);
      void slice.mail(replyingAfter(took));
      await vi.advanceTimersByTimeAsync(2 * SLICE_MS);
    }
    const slice = openTimeSlice(subAccountId, isAwaited);
    void slice.mail(hanging);
    expect(await isOverAfter(slice, SHORT_MS)).toBe(true);
  });

  test('leaves no timer behind', async () => {
    const slice = openTimeSlice(newId(new Date()), isAwaited);
    void slice.mail(hanging);
    slice.end();
    expect([slice.over.aborted, vi.getTimerCount()]).toEqual([true, 0]);
  });

  test('passes on the result or the error of a mail, also after its end', async () => {
    const slice = openTimeSlice(newId(new Date()), isAwaited);
    const { promise, resolve } = Promise.withResolvers<string>();
    const late = slice.mail(() => promise);
    slice.end();
    resolve('sent');
    expect(await late).toBe('sent');
    const broken = slice.mail(() => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
  });
});
