import { defineJob } from '#core/job.ts';
import { email, request, uuid } from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';

/** Sixteen hours, as for admins. */
const MAX_ATTEMPTS = 12;

/**
 * Mails one person who works for a sub-account, through its own email channel; where it has none, or
 * is a sandbox, nothing is sent. `mailId` makes the Message-ID, the same in every attempt.
 */
export const mailPerson = defineJob({
  name: 'accounts/mail-person',
  payload: request({
    subAccountId: uuid(),
    mailId: uuid(),
    to: email(),
    subject: Type.String(),
    text: Type.String(),
  }),
  maxAttempts: MAX_ATTEMPTS,
  lane: 'peers',
});
