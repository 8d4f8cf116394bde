import { newId } from '#lib/id.ts';
import { defineJob } from '#core/job.ts';
import { request, uuid } from '#core/schema/schema.ts';
import { Type } from '#core/schema/type.ts';
import type { Work } from '#core/work.ts';

/** Sixteen hours: a mail server that is down for a night does not lose it. */
const MAX_ATTEMPTS = 12;

/** Tells the people who run a sub-account, by mail, that something needs them. */
export const notifyAdmins = defineJob({
  name: 'accounts/notify-admins',
  payload: request({
    subAccountId: uuid(),
    /** Missing in jobs that were queued before 0.2. */
    noticeId: Type.Optional(uuid()),
    subject: Type.String(),
    text: Type.String(),
  }),
  maxAttempts: MAX_ATTEMPTS,
});

/** Queues a notice to the admins; one with the key of a notice that is still queued replaces it. */
export function queueNotice(
  work: Work,
  notice: { readonly subject: string; readonly text: string },
  key?: string,
): void {
  const { subAccountId, now } = work;
  const payload = { subAccountId, noticeId: newId(now), ...notice };
  work.enqueue(notifyAdmins, payload, key === undefined ? {} : { key });
}
