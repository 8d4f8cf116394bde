import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openNodeLanes } from '#platform/notify/node-lanes.ts';

const log = pino({ level: 'silent' });

/** Lets other code run that waits for resolved promises, this number of times. */
async function pass(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await Promise.resolve();
  }
}

/** A cluster with one node. Returns the sub-accounts whose events were published. */
function oneNode() {
  const published: string[] = [];
  const rows = async (text: string, [first]: readonly unknown[] = []): Promise<any[]> => {
    if (text.includes('batches_are_shared')) {
      return [{ isShared: false }];
    }
    if (text.includes('publish_events_of')) {
      published.push(String(first));
      await pass(20);
      return [{ published: 0 }];
    }
    return (first as string[]).map((id) => ({ id, node: '1' }));
  };
  return { published, lanes: openNodeLanes({ database: { rows }, log }, AbortSignal.any([])) };
}

test('a sub-account that is named while its node’s lane ends is published', async () => {
  for (let steps = 0; steps < 30; steps += 1) {
    const { published, lanes } = oneNode();
    await lanes.take(['first']);
    await pass(steps);
    await lanes.take(['second']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(published, `after ${steps} steps`).toEqual(['first', 'second']);
    await lanes.close();
  }
});
