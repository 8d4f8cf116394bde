import { describe, expect, test, vi } from 'vitest';
import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { sendCampaign } from '../../src/campaigns/start-campaign.ts';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
} from '../../src/campaigns/pause-resume-cancel.ts';
import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { mailServer, smtp } from '../conversations/sending.support.ts';
import { OPERATOR } from '../support/service.ts';
import {
  became,
  CAMPAIGN,
  campaignOf,
  clients,
  recipientsOf,
  MANIFEST,
  setUpCampaigns,
  WAIT,
} from './campaigns.support.ts';
import { guests, settled, started, statuses } from './mailing.support.ts';

describe('a campaign that is being sent', () => {
  test('pauses at once, resumes, skips contacts that opted out meanwhile, and ends when cancelled', async () => {
    const server = await mailServer();
    const emails = guests(120);
    const { sending, id, steer } = await started(server.port, emails, {
      channel: { ratePerSecond: 10 },
    });
    await vi.waitFor(() => expect(server.mails.length).toBeGreaterThan(5), WAIT);
    await steer(pauseCampaign);
    await vi.waitFor(async () => {
      expect(Object.values(await statuses(sending, id))).not.toContain('sending');
    }, WAIT);
    const mailed = server.mails.length;
    expect(mailed).toBeLessThan(emails.length);
    expect(await settled(sending, id)).toBe(mailed);
    const next = (await recipientsOf(sending, id)).filter(({ status }) => status === 'pending');
    const [shy, ...others] = next.map(({ address }) => address);
    await sending.transact(sending.subAccountId, OPERATOR, (work) =>
      suppressAddress(work, { channel: 'email', address: shy ?? '', reason: 'unsubscribe' }),
    );
    await steer(resumeCampaign);
    await vi.waitFor(() => expect(server.mails.length).toBeGreaterThan(mailed + 10), WAIT);
    await steer(cancelCampaign);
    await vi.waitFor(async () => {
      expect(Object.values(await statuses(sending, id))).not.toContain('sending');
    }, WAIT);
    const to = server.mails.map((mail) => mail.to[0]);
    expect(new Set(to).size).toBe(to.length);
    expect(to).not.toContain(shy);
    expect(to.length).toBeLessThan(others.length + mailed);
    expect(await settled(sending, id)).toBe(emails.length);
    expect((await campaignOf(sending, id)).status).toBe('cancelled');
    await expect(steer(resumeCampaign)).rejects.toMatchObject({ code: 'invalid_status' });
  });

  test('reports unknown recipients of a killed worker after it is cancelled', async () => {
    const server = await mailServer();
    const { sending, id, steer } = await started(server.port, guests(2), { worker: false });
    await sending.database.rows(
      `update campaign_recipients set status = 'sending', claimed_by = $1
       where address like 'guest100%'`,
      [crypto.randomUUID()],
    );
    await steer(cancelCampaign);
    await sending.startWorker();
    await vi.waitFor(async () => {
      expect(await statuses(sending, id)).toEqual({ guest100: 'unknown', guest101: 'skipped' });
    }, WAIT);
    expect((await campaignOf(sending, id)).status).toBe('cancelled');
    expect(server.mails).toEqual([]);
  });

  test('of a deleted sub-account sends no more mails', async () => {
    const server = await mailServer();
    const { sending, id } = await started(server.port, guests(2), { worker: false });
    const { transact, subAccountId, database } = sending;
    await transact(subAccountId, OPERATOR, deleteSubAccount);
    await sending.startWorker();
    await vi.waitFor(async () => {
      expect(
        await database.rows(`select 1 from graphile_worker._private_jobs
        where key like 'campaigns/mail%'`),
      ).toEqual([]);
    }, WAIT);
    expect(Object.values(await statuses(sending, id))).toEqual(['pending', 'pending']);
    expect(server.mails).toEqual([]);
  });

  test('delays neither single messages nor campaigns of other sub-accounts', async () => {
    const server = await mailServer();
    const { sending, id } = await started(server.port, guests(200), {
      channel: { ratePerSecond: 4 },
    });
    await vi.waitFor(() => expect(server.mails.length).toBeGreaterThan(2), WAIT);
    const other = { ...sending, subAccountId: await sending.subAccount() };
    await setUpCampaigns(other, { ...MANIFEST, channels: smtp(server.port) });
    await clients(other, ['zoe@example.com']);
    const otherId = await other.transact(other.subAccountId, OPERATOR, (work) =>
      createCampaign(work, CAMPAIGN),
    );
    await other.transact(other.subAccountId, OPERATOR, (work) => sendCampaign(work, otherId));
    const message = await sending.write('email');
    expect(await sending.settled(message)).toMatchObject({ status: 'sent' });
    await became(sending, otherId, 'sent');
    expect((await campaignOf(sending, id)).status).toBe('sending');
    expect(await settled(sending, id)).toBeLessThan(200);
  });

  test('keeps to the rate of its channel', async () => {
    const server = await mailServer();
    const { sending, id } = await started(server.port, guests(60), {
      channel: { ratePerSecond: 20 },
      worker: false,
    });
    const startedAt = performance.now();
    await sending.startWorker();
    await became(sending, id, 'sent');
    // The first mail is sent at once, each further one a twentieth of a second later.
    expect(performance.now() - startedAt).toBeGreaterThan((59 / 20) * 1_000 - 100);
  });

  test('of a sandbox passes all states without a mail server', async () => {
    const server = await mailServer();
    const { sending, id } = await started(server.port, guests(3), { worker: false });
    await sending.database.rows('update sub_accounts set sandbox = true');
    await sending.startWorker();
    await became(sending, id, 'sent');
    expect(Object.values(await statuses(sending, id))).toEqual(['sent', 'sent', 'sent']);
    expect(server.mails).toEqual([]);
  });
});
