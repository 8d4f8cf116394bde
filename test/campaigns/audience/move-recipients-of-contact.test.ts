import { mergeContacts } from '../../../src/contacts/merge/merge-contacts.ts';
import { describe, expect, test, vi } from 'vitest';
import { cancelCampaign, pauseCampaign } from '../../../src/campaigns/pause-resume-cancel.ts';
import { updateContact } from '../../../src/contacts/update-contact.ts';
import { resendUnknowns } from '../../../src/campaigns/audience/resend-unknowns.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { OPERATOR } from '../../support/service.ts';
import { WAIT, campaignOf } from '../campaigns.support.ts';
import { fired, guests, settled, started, statuses } from '../mailing.support.ts';

type Started = Awaited<ReturnType<typeof started>>;

const idOf = async ({ sending }: Started, email: string) => {
  const [row] = await sending.database.rows<{ id: string }>(
    'select contact_id as id from campaign_recipients where sub_account_id = $1 and address = $2',
    [sending.subAccountId, email],
  );
  return row?.id ?? '';
};

const merge = async (campaign: Started, kept: string, other: string) => {
  const { transact, subAccountId } = campaign.sending;
  const ids = [await idOf(campaign, kept), await idOf(campaign, other)] as const;
  await transact(subAccountId, OPERATOR, (work) => mergeContacts(work, ...ids));
};

/** Sets the status of a recipient as a worker would while sending. */
const setStatus = ({ sending }: Started, email: string, status: string) =>
  sending.database.rows(
    `update campaign_recipients set status = $3 where sub_account_id = $1 and address = $2`,
    [sending.subAccountId, email, status],
  );

const [A = '', B = '', C = ''] = guests(3);
const unsent = async (emails: readonly string[]) => started(1, emails, { worker: false });

describe('contacts that are merged while a campaign is sent', () => {
  test('get one mail, to the primary address of the kept one', async () => {
    const mails = await mailServer();
    const campaign = await started(mails.port, [A, B, C], { worker: false });
    await merge(campaign, B, A);
    const { sending, id } = campaign;
    expect(await statuses(sending, id)).toEqual({
      guest100: 'skipped',
      guest101: 'pending',
      guest102: 'pending',
    });
    await sending.startWorker();
    await vi.waitFor(async () => expect((await campaignOf(sending, id)).status).toBe('sent'), WAIT);
    expect(mails.mails.flatMap(({ to }) => to).sort()).toEqual([B, C]);
    expect(await fired(sending)).toEqual([]);
  });

  test.for(['sending', 'sent', 'unknown'])(
    'get no second mail if the mail to one of them is %s',
    async (status) => {
      const campaign = await unsent([A, B]);
      await setStatus(campaign, A, status);
      await merge(campaign, B, A);
      expect(await statuses(campaign.sending, campaign.id)).toEqual({
        guest100: status,
        guest101: 'skipped',
      });
      const other = await unsent([A, B]);
      await setStatus(other, A, status);
      await merge(other, A, B);
      expect(await statuses(other.sending, other.id)).toEqual({
        guest100: status,
        guest101: 'skipped',
      });
    },
  );

  test('get one mail if the first one failed or was skipped', async () => {
    for (const status of ['failed', 'skipped']) {
      const campaign = await unsent([A, B]);
      await setStatus(campaign, A, status);
      await merge(campaign, A, B);
      expect(await statuses(campaign.sending, campaign.id)).toEqual({
        guest100: status,
        guest101: 'pending',
      });
    }
  });

  test('get one mail after a chain of merges that began after the first mail', async () => {
    const campaign = await unsent([A, B, C]);
    await setStatus(campaign, A, 'sent');
    await merge(campaign, B, A);
    await merge(campaign, C, B);
    expect(await statuses(campaign.sending, campaign.id)).toEqual({
      guest100: 'sent',
      guest101: 'skipped',
      guest102: 'skipped',
    });
  });

  test('have the mails that were sent to both', async () => {
    const campaign = await unsent([A, B, C]);
    await setStatus(campaign, A, 'sent');
    await setStatus(campaign, B, 'sent');
    await merge(campaign, B, A);
    const ids = await Promise.all([A, B, C].map((email) => idOf(campaign, email)));
    expect(new Set(ids.slice(0, 2)).size).toBe(1);
    expect(ids[2]).not.toBe(ids[0]);
    expect(await statuses(campaign.sending, campaign.id)).toMatchObject({
      guest100: 'sent',
      guest101: 'sent',
    });
  });

  test('get one mail of a paused campaign, and none of a cancelled one', async () => {
    const campaign = await unsent([A, B]);
    await campaign.steer(pauseCampaign);
    await merge(campaign, A, B);
    expect(await statuses(campaign.sending, campaign.id)).toEqual({
      guest100: 'pending',
      guest101: 'skipped',
    });
    const other = await unsent([A, B]);
    await other.steer(cancelCampaign);
    await merge(other, A, B);
    expect(await statuses(other.sending, other.id)).toEqual({
      guest100: 'skipped',
      guest101: 'skipped',
    });
  });

  test('get no second mail if the first one is in flight to a removed address', async () => {
    const campaign = await unsent([A, B]);
    const { transact, subAccountId } = campaign.sending;
    const id = await idOf(campaign, A);
    await setStatus(campaign, A, 'sending');
    await transact(subAccountId, OPERATOR, (work) =>
      updateContact(work, id, { email: 'new@example.com' }),
    );
    await merge(campaign, B, A);
    expect(await statuses(campaign.sending, campaign.id)).toEqual({
      guest100: 'sending',
      guest101: 'skipped',
    });
  });

  test.for([
    ['a server refused for the moment', 'pending'],
    ['are sent again, since a worker was killed', 'unknown'],
  ])('get one mail after both mails were under way and %s', async ([, status = '']) => {
    for (const [kept, other] of [
      [A, B],
      [B, A],
    ] as const) {
      const mails = await mailServer();
      const campaign = await started(mails.port, [A, B, C], { worker: false });
      const { sending, id } = campaign;
      await Promise.all([A, B].map((email) => setStatus(campaign, email, 'sending')));
      await merge(campaign, kept, other);
      await Promise.all([A, B].map((email) => setStatus(campaign, email, status)));
      if (status === 'unknown') {
        await campaign.steer(async (work, campaignId) => {
          await resendUnknowns(work, campaignId, undefined);
        });
      }
      await sending.startWorker();
      const state = async () => (await campaignOf(sending, id)).status;
      await vi.waitFor(async () => expect(await state()).toBe('sent'), WAIT);
      expect(mails.mails.flatMap(({ to }) => to).sort()).toEqual([kept, C]);
      const reached = Object.values(await statuses(sending, id)).map(String);
      expect(reached.toSorted()).toEqual(['sent', 'sent', 'skipped']);
    }
  });

  test('get one mail each when twenty pairs are merged while they are mailed', async () => {
    const mails = await mailServer();
    const emails = guests(40);
    const campaign = await started(mails.port, emails);
    const { sending, id } = campaign;
    const pairs = emails.slice(0, 20).map((email, n) => [email, emails[n + 20] ?? ''] as const);
    for (const pair of pairs) {
      await merge(campaign, ...pair);
    }
    await vi.waitFor(async () => expect((await campaignOf(sending, id)).status).toBe('sent'), WAIT);
    expect(await settled(sending, id)).toBe(40);
    const to = mails.mails.flatMap((mail) => mail.to);
    expect(new Set(to).size).toBe(to.length);
    for (const pair of pairs) {
      expect(pair.filter((email) => to.includes(email)).length).toBeGreaterThan(0);
    }
  });
});
