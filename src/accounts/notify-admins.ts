import { defineJob } from '#kit/job.ts';
import { strict, uuid } from '#kit/schema.ts';
import { Type } from '#kit/type.ts';

/** Sixteen hours: a mail server that is down for a night does not lose it. */
const MAX_ATTEMPTS = 12;

/** Tells the people who run a sub-account, by mail, that something needs them. */
export const notifyAdmins = defineJob({
  name: 'accounts/notify-admins',
  payload: strict({ subAccountId: uuid(), subject: Type.String(), text: Type.String() }),
  maxAttempts: MAX_ATTEMPTS,
});
