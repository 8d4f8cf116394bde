import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';

/** Fetches the busy times of a member's external calendar. */
export const fetchExternal = defineJob({
  name: 'calendars/ask-external',
  payload: request({ subAccountId: uuid(), memberId: uuid() }),
  // The schedule fetches again soon.
  keyFrom: ['memberId'],
  maxAttempts: 1,
  lane: 'peers',
});

/** Queues a fetch of every external calendar. */
export const fetchAllExternal = defineJob({
  name: 'calendars/ask-all-external',
  payload: request({}),
  maxAttempts: 1,
});
