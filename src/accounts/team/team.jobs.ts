import { Type } from 'typebox';
import { newId } from '#lib/id.ts';
import { defineJob, keyOf } from '#core/job.ts';
import { email, request, uuid } from '#core/schema/schema.ts';
import type { Work } from '#core/work.ts';

/** Sixteen hours: a mail server that is down for a night does not lose the mail. */
const MAX_ATTEMPTS = 12;

/** Mails the admins of a sub-account that something needs their attention. */
export const notifyAdmins = defineJob({
  name: 'accounts/notify-admins',
  payload: request({
    subAccountId: uuid(),
    /** Missing in jobs that were queued before 0.2. */
    noticeId: Type.Optional(uuid()),
    /** The contact that the text is about: erasing the contact deletes the job. */
    contactId: Type.Optional(uuid()),
    subject: Type.String(),
    text: Type.String(),
  }),
  keyFrom: ['subAccountId'],
  maxAttempts: MAX_ATTEMPTS,
});

/** Queues a notice to the admins. It replaces a queued one of the sub-account with the same `about`. */
export function queueNotice(
  work: Work,
  notice: { readonly subject: string; readonly text: string; readonly contactId?: string },
  about?: string,
): void {
  const { subAccountId, now } = work;
  const payload = { subAccountId, noticeId: newId(now), ...notice };
  const when = about === undefined ? {} : { key: keyOf(notifyAdmins, payload, about) };
  work.enqueue(notifyAdmins, payload, when);
}

/**
 * Mails one person who works for a sub-account, through its own email channel. Nothing is sent
 * without a channel, or from a sandbox. `mailId` makes the Message-ID, the same in every attempt.
 */
export const mailPerson = defineJob({
  name: 'accounts/mail-person',
  payload: request({
    subAccountId: uuid(),
    mailId: uuid(),
    /** As in `notifyAdmins`. */
    contactId: Type.Optional(uuid()),
    to: email(),
    subject: Type.String(),
    text: Type.String(),
  }),
  maxAttempts: MAX_ATTEMPTS,
  lane: 'peers',
});
