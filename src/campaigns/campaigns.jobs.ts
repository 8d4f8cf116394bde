import { defineJob, keyOf } from '#core/job.ts';
import * as s from '#core/schema/schema.ts';
import type { JobTime, Work } from '#core/work.ts';

/** Starts the campaigns that are due. */
export const dispatchCampaigns = defineJob({
  name: 'campaigns/dispatch',
  payload: s.request({}),
  maxAttempts: 1,
});

/** Sends mails of one sub-account's campaigns for one time slice. */
export const mailCampaigns = defineJob({
  name: 'campaigns/mail',
  payload: s.request({ subAccountId: s.uuid() }),
  keyFrom: ['subAccountId'],
  maxAttempts: 25,
  lane: 'mail',
  isWakeUp: true,
});

/** Queues the sub-account's mailing job for a time, or for now. */
export function queueMailing(work: Work, when: JobTime = {}): void {
  const payload = { subAccountId: work.subAccountId };
  const key = keyOf(mailCampaigns, payload);
  work.enqueue(mailCampaigns, payload, { ...when, key });
}
