import { describe, expect, test, vi } from 'vitest';
import { aborted, sleep } from '#lib/abort.ts';

describe('sleep', () => {
  test('resolves after its time', async () => {
    vi.useFakeTimers();
    const woken = vi.fn<() => void>();
    void sleep(1_000).then(woken);
    await vi.advanceTimersByTimeAsync(999);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(woken).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });

  test('resolves when its signal is aborted, before or meanwhile', async () => {
    await sleep(3_600_000, AbortSignal.abort());
    const controller = new AbortController();
    const sleeping = sleep(3_600_000, controller.signal);
    controller.abort();
    await expect(sleeping).resolves.toBeUndefined();
  });
});

test('aborted resolves when the signal is aborted, before or later', async () => {
  await aborted(AbortSignal.abort());
  const controller = new AbortController();
  const waiting = aborted(controller.signal);
  controller.abort();
  await expect(waiting).resolves.toBeUndefined();
});
