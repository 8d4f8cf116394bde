import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';

/** Changes many contacts in batches. Attempts that a restart interrupts count, too. */
export const changeContactsJob = defineJob({
  name: 'console/change-contacts',
  payload: request({ subAccountId: uuid(), bulkChangeId: uuid() }),
  maxAttempts: 10,
  lane: 'imports',
});
