import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';

/** Asks a member's external calendar when he is busy. */
export const fetchExternal = defineJob({
  name: 'calendars/ask-external',
  payload: request({ subAccountId: uuid(), memberId: uuid() }),
  // The clock asks again soon.
  maxAttempts: 1,
  lane: 'peers',
});

/** Has every external calendar asked. */
export const fetchAllExternal = defineJob({
  name: 'calendars/ask-all-external',
  payload: request({}),
  maxAttempts: 1,
});
