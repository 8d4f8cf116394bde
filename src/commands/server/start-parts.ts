import type { Lifecycle } from '#platform/process/lifecycle.ts';

type Stop = Parameters<Lifecycle['onStop']>[1];

/** Parts of a process that end before it does. */
export interface Parts {
  stop(hurry: AbortSignal): Promise<void>;
}

/** Starts parts that can be stopped by themselves; what was started before a failure is stopped. */
export async function startParts(
  { end }: Lifecycle,
  start: (lifecycle: Lifecycle) => Promise<unknown>,
): Promise<Parts> {
  const stops: Stop[] = [];
  const parts: Parts = {
    async stop(hurry) {
      const failures: unknown[] = [];
      for (const stop of stops.splice(0).toReversed()) {
        await stop(hurry).catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) {
        throw new AggregateError(failures, 'parts of the jobs did not stop as they should');
      }
    },
  };
  try {
    await start({ end, onStop: (_, stop) => void stops.push(stop) });
    return parts;
  } catch (error) {
    await parts.stop(AbortSignal.abort()).catch(() => undefined);
    throw error;
  }
}
