import { Type } from 'typebox';
import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';

/** Half a day: a database that is away for a night does not stop it. */
const MAX_ATTEMPTS = 12;

/** Erases what was written about a person while they were erased. `person` is sealed. */
export const eraseAgain = defineJob({
  name: 'privacy/erase-again',
  payload: request({ subAccountId: uuid(), person: Type.String() }),
  keyFrom: ['subAccountId'],
  maxAttempts: MAX_ATTEMPTS,
  lane: 'bulk',
});

/** Erases a person from events, and their addresses from texts about others. `person` is sealed. */
export const eraseMentionsJob = defineJob({
  name: 'privacy/erase-mentions',
  payload: request({ subAccountId: uuid(), runId: uuid(), person: Type.String() }),
  keyFrom: ['subAccountId', 'runId'],
  maxAttempts: MAX_ATTEMPTS,
  lane: 'bulk',
});
