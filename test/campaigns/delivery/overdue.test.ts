import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleMailCampaigns } from '../../../src/campaigns/delivery/mail-campaigns.ts';
import { startHeldServer } from './held-server.support.ts';
import { guests, started } from '../mailing.support.ts';
import { OPERATOR } from '../../support/service.ts';

const JOB = `select run_at as "runAt" from graphile_worker.jobs where key = $1`;

test('a campaign with overdue mails continues behind the campaigns that wait', async () => {
  const server = await startHeldServer();
  const { sending } = await started(server.port, guests(3), { worker: false });
  const { database, subAccountId } = sending;
  await database.rows(
    `update campaign_recipients set due_at = now() - interval '1 minute' where sub_account_id = $1`,
    [subAccountId],
  );
  const [began] = await database.rows<{ now: Date }>('select now()', []);
  // Its slice is over before a mail is claimed.
  const signal = AbortSignal.abort();
  const settings = { baseUrl: '', sendRetries: [], outboundAllow: ['127.0.0.0/8'] };
  const context = { ...sending, settings, actor: OPERATOR, signal } as unknown as JobContext;
  await handleMailCampaigns.handle({ subAccountId }, context);
  const [job] = await database.rows<{ runAt: Date }>(JOB, [`campaigns/mail:${subAccountId}`]);
  expect(job?.runAt.getTime()).toBeGreaterThanOrEqual(began?.now.getTime() ?? Infinity);
});
