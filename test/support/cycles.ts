import { setImmediate as nextCycle } from 'node:timers/promises';

/** Counts the cycles of the event loop in which other work can run until `work` ends. */
export async function cyclesDuring(work: Promise<unknown>): Promise<number> {
  const state = { cycles: 0, ended: false };
  void work.finally(() => (state.ended = true));
  await nextCycle();
  while (!state.ended) {
    state.cycles += 1;
    await nextCycle();
  }
  return state.cycles;
}

/** Keeps the event loop busy. */
export function busy(ms: number): void {
  const until = performance.now() + ms;
  let now = performance.now();
  while (now < until) {
    now = performance.now();
  }
}
