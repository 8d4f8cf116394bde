import { describe, expect, test } from 'vitest';
import { createCampaign } from '../../../src/campaigns/create-campaign.ts';
import { sendCampaign } from '../../../src/campaigns/start-campaign.ts';
import { mergeContacts } from '../../../src/contacts/merge/merge-contacts.ts';
import { startSending, type Sending } from '../../conversations/sending.support.ts';
import { WAITING_FOR_ME } from '../../support/locks.ts';
import { OPERATOR } from '../../support/service.ts';
import { CAMPAIGN, clients, recipientsOf, setUpCampaigns, WAIT } from '../campaigns.support.ts';
import { guests } from '../mailing.support.ts';

const ROUNDS = 20;

/** A sub-account with these contacts on the list of its campaigns. */
async function audienceOf(emails: readonly string[]) {
  const sending = await startSending();
  await setUpCampaigns(sending);
  return { sending, ids: await clients(sending, emails) };
}

const draft = ({ transact, subAccountId }: Sending) =>
  transact(subAccountId, OPERATOR, (work) => createCampaign(work, CAMPAIGN));

const send = ({ transact, subAccountId }: Sending, id: string) =>
  transact(subAccountId, OPERATOR, (work) => sendCampaign(work, id));

/** Merges two contacts; `beforeCommit` runs while both are locked. */
const merge = (
  { transact, subAccountId }: Sending,
  [kept = '', other = '']: readonly string[],
  beforeCommit = async (_isWaitedFor: () => Promise<boolean>) => {},
) =>
  transact(subAccountId, OPERATOR, async (work) => {
    await mergeContacts(work, kept, other);
    await beforeCommit(async () => (await work.rows(WAITING_FOR_ME, [])).length > 0);
  });

const pendingOf = async (sending: Sending, id: string) =>
  (await recipientsOf(sending, id))
    .filter(({ status }) => status === 'pending')
    .map(({ address, contactId }) => ({ address, contactId }));

const [A = '', B = '', C = ''] = guests(3);

describe('a campaign that starts while two of its contacts are merged', () => {
  test.for([
    ['the later one into the earlier one', [A, B]],
    ['the earlier one into the later one', [B, A]],
  ] as const)('mails the kept one once: %s', async ([, [kept, other]]) => {
    const { sending, ids } = await audienceOf([A, B, C]);
    const id = await draft(sending);
    const started = Promise.withResolvers<void>();
    await merge(sending, [ids[kept] ?? '', ids[other] ?? ''], async (isWaitedFor) => {
      send(sending, id).then(started.resolve, started.reject);
      await expect.poll(isWaitedFor, WAIT).toBe(true);
    });
    await started.promise;
    expect(await pendingOf(sending, id)).toEqual([
      { address: kept, contactId: ids[kept] },
      { address: C, contactId: ids[C] },
    ]);
    expect(
      (await recipientsOf(sending, id)).find(({ address }) => address === other),
    ).toMatchObject({
      status: 'skipped',
      errorCode: 'merged',
      contactId: ids[kept],
    });
  });

  test('mails the kept one at the other address if only the other one is on the list', async () => {
    const { sending, ids } = await audienceOf([A]);
    const kept = sending.contactId;
    const id = await draft(sending);
    const started = Promise.withResolvers<void>();
    await merge(sending, [kept, ids[A] ?? ''], async (isWaitedFor) => {
      send(sending, id).then(started.resolve, started.reject);
      await expect.poll(isWaitedFor, WAIT).toBe(true);
    });
    await started.promise;
    expect(await pendingOf(sending, id)).toEqual([{ address: A, contactId: kept }]);
  });

  test(`mails each kept one once, ${ROUNDS} times at the same moment`, async () => {
    const emails = guests(2 * ROUNDS);
    const { sending, ids } = await audienceOf(emails);
    for (let round = 0; round < ROUNDS; round += 1) {
      const pair = [ids[emails[round] ?? ''] ?? '', ids[emails[ROUNDS + round] ?? ''] ?? ''];
      const id = await draft(sending);
      await Promise.all([
        send(sending, id),
        merge(sending, round % 2 === 0 ? pair : pair.toReversed()),
      ]);
      const mailed = (await pendingOf(sending, id)).map(({ contactId }) => contactId);
      expect(mailed).toHaveLength(2 * ROUNDS - round - 1);
      expect(new Set(mailed).size).toBe(mailed.length);
    }
  });
});
