import { expect, test } from 'vitest';
import type { Work } from '#core/work.ts';
import { signalRuns, type WaitingRun } from '../../src/workflows/triggers/signal-runs.ts';

const EVENT = 'contact.updated';
const CONTACT = crypto.randomUUID();

const runs = Array.from({ length: 12_000 }, (): WaitingRun => ({
  runId: crypto.randomUUID(),
  contactId: CONTACT,
  goals: [EVENT],
  waitingFor: null,
  sincePosition: 1,
  createdAt: new Date(0),
}));

// At once, the signals of 200 events for 20,000 runs blocked the process for seconds.
test('many signals are stored a few thousand at a time, each once', async () => {
  const stored: (readonly string[])[] = [];
  const work = {
    subAccountId: crypto.randomUUID(),
    now: new Date(),
    async rows(text: string, [, , runIds]: readonly any[]) {
      if (text.startsWith('insert into workflow_signals')) {
        stored.push(runIds);
      }
      return text.includes('no key update') ? runs : [];
    },
  } as unknown as Work;
  const events = [2, 3, 4].map((position) => ({
    name: EVENT,
    contactId: CONTACT,
    occurredAt: new Date(),
    position,
  }));
  expect(await signalRuns(work, events)).toBe(0);
  expect(Math.max(...stored.map((ids) => ids.length))).toBeLessThanOrEqual(5_000);
  expect(stored.flat().toSorted()).toEqual(
    events.flatMap(() => runs.map(({ runId }) => runId)).toSorted(),
  );
});
