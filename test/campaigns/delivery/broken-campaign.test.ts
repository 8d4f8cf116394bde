import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleMailCampaigns } from '../../../src/campaigns/delivery/mail-campaigns.ts';
import { resumeCampaign } from '../../../src/campaigns/pause-resume-cancel.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { OPERATOR } from '../../support/service.ts';
import { became, campaignOf } from '../campaigns.support.ts';
import { fired, guests, started, statuses } from '../mailing.support.ts';

test('a campaign that always throws is held with its recipients pending, and continues when it is resumed', async () => {
  const server = await mailServer();
  const emails = guests(3);
  const { sending, id, steer } = await started(server.port, emails, { worker: false });
  const seal = (secrets: Buffer | null) =>
    sending.database.rows('update channels set secrets = $1', [secrets]);
  // Sealed with another key.
  await seal(Buffer.alloc(60));
  await sending.startWorker();
  await became(sending, id, 'held');
  expect((await campaignOf(sending, id)).heldBecause).toBe('internal_error');
  expect(Object.values(await statuses(sending, id))).toEqual(['pending', 'pending', 'pending']);

  await seal(null);
  await steer(resumeCampaign);
  await became(sending, id, 'sent');
  expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails);
  expect(await fired(sending)).toEqual([]);
});

test('a campaign whose mails end the worker three times is held with its recipients pending', async () => {
  const server = await mailServer();
  const emails = guests(2);
  const { sending, id, steer } = await started(server.port, emails, { worker: false });
  const { subAccountId, database } = sending;
  // A worker that died while it mailed has marked the campaign.
  await database.rows('update campaigns set served_at = now() where id = $1', [id]);
  const context = { ...sending, actor: OPERATOR } as unknown as JobContext;
  await handleMailCampaigns.giveUp?.({ subAccountId }, context);
  expect(await campaignOf(sending, id)).toMatchObject({
    status: 'held',
    heldBecause: 'internal_error',
  });
  expect(Object.values(await statuses(sending, id))).toEqual(['pending', 'pending']);
  expect(await fired(sending)).toEqual([]);

  await steer(resumeCampaign);
  await sending.startWorker();
  await became(sending, id, 'sent');
  expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails);
});

test('a campaign continues if the last of three workers that ended had sent a mail', async () => {
  const server = await mailServer();
  const emails = guests(3);
  const { sending, id } = await started(server.port, emails, { worker: false });
  const { subAccountId, database } = sending;
  await database.rows(
    `with served as (update campaigns set served_at = now() - interval '1 minute' where id = $1)
     update campaign_recipients set status = 'sent', settled_at = now()
     where campaign_id = $1 and address = $2`,
    [id, emails[0]],
  );
  const context = { ...sending, actor: OPERATOR } as unknown as JobContext;
  await handleMailCampaigns.giveUp?.({ subAccountId }, context);
  expect((await campaignOf(sending, id)).status).toBe('sending');
  await sending.startWorker();
  await became(sending, id, 'sent');
  expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(emails.slice(1));
  expect(await fired(sending)).toEqual([]);
});
