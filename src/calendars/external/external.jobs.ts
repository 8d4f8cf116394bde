import { defineJob } from '#kit/job.ts';
import { strict, uuid } from '#kit/schema.ts';

/** Asks a member's external calendar when he is busy. */
export const askExternal = defineJob({
  name: 'calendars/ask-external',
  payload: strict({ subAccountId: uuid(), memberId: uuid() }),
  // The clock asks again soon.
  maxAttempts: 1,
  lane: 'peers',
});

/** Has every external calendar asked. */
export const askAllExternal = defineJob({
  name: 'calendars/ask-all-external',
  payload: strict({}),
  maxAttempts: 1,
});
