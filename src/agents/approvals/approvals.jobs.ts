import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';

/** Half a day: a database that is away for a night does not lose the call. */
const MAX_ATTEMPTS = 12;

/** Runs a call that a person approved, unless it has run. */
export const runApproval = defineJob({
  name: 'agents/run-approval',
  payload: request({ subAccountId: uuid(), approvalId: uuid() }),
  keyFrom: ['approvalId'],
  maxAttempts: MAX_ATTEMPTS,
});
