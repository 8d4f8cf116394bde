import type { Pool } from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { FORGET_DEATHS } from '#platform/queue/private-tables.ts';
import { runJob } from '#platform/queue/suspect-jobs.ts';

/** A lane whose database fails when the deaths of a job are to be forgotten. */
const lane = {
  pool: {
    query: async (text: string) => {
      if (text === FORGET_DEATHS) {
        throw new Error('database away');
      }
    },
  } as unknown as Pool,
  id: () => 'worker-1',
  log: pino({ level: 'silent' }),
  onGivenUp: () => undefined,
};
const suspect = { id: '1', task_identifier: 'greet', flags: { deaths: 1 } };
const { signal } = new AbortController();

test('a suspect that is done stays done if its deaths cannot be forgotten', async () => {
  const run = { handle: async () => undefined, giveUp: undefined, signal };
  await expect(runJob(suspect, lane, run)).resolves.toBeUndefined();
});

test('a suspect that failed keeps its own error', async () => {
  const run = { handle: () => Promise.reject(new Error('no')), giveUp: undefined, signal };
  await expect(runJob(suspect, lane, run)).rejects.toThrow('no');
});
