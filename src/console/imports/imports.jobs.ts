import { memberRole } from '#core/endpoint/console-endpoint.ts';
import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';

/** Imports an uploaded file of contacts. Attempts that a restart interrupts count, too. */
export const importContactsJob = defineJob({
  name: 'console/import-contacts',
  payload: request({ subAccountId: uuid(), importId: uuid() }),
  maxAttempts: 10,
  lane: 'imports',
});

/** Needed until the last row is imported. */
export const importers = memberRole('admin');
