import { expect, test, vi } from 'vitest';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { sendCampaign } from '../../src/campaigns/start-campaign.ts';
import { noon, startNoticing, type Noticing } from '../booking/notices/notices.support.ts';
import { smtp } from '../conversations/sending.support.ts';
import { OPERATOR } from '../support/service.ts';
import {
  CAMPAIGN,
  campaignOf,
  clients,
  recipientsOf,
  MANIFEST,
  setUpCampaigns,
  WAIT,
} from './campaigns.support.ts';
import { startHeldServer } from './delivery/held-server.support.ts';
import { guests } from './mailing.support.ts';

/** One more than the number of sub-accounts for which a worker sends at a time. */
const SUB_ACCOUNTS = 5;
const MAILED_FOR = 4;
/** Connections of each sub-account to its mail server. */
const CONNECTIONS = 10;
const GUESTS = 15;

/** Starts a campaign in a new sub-account. Returns its id. */
async function sentBy(desk: Noticing, port: number): Promise<string> {
  const subAccountId = await desk.subAccount();
  await setUpCampaigns({ ...desk, subAccountId }, { ...MANIFEST, channels: smtp(port) });
  await clients({ ...desk, subAccountId }, guests(GUESTS));
  const id = await desk.transact(subAccountId, OPERATOR, (work) => createCampaign(work, CAMPAIGN));
  await desk.transact(subAccountId, OPERATOR, (work) => sendCampaign(work, id));
  return id;
}

test('campaigns whose mail servers hang do not delay the confirmation of a booking', async () => {
  const server = await startHeldServer();
  const desk = await startNoticing();
  const ids: string[] = [];
  for (let n = 0; n < SUB_ACCOUNTS; n += 1) {
    ids.push(await sentBy(desk, server.port));
  }
  const confirmation = { channel: 'email', subject: 'Booked', body: 'See you' };
  const typeId = await desk.calendar({ confirmation });
  await desk.startWorker();
  await vi.waitFor(
    () => expect(server.begun.length).toBeGreaterThanOrEqual(MAILED_FOR * CONNECTIONS),
    WAIT,
  );
  await desk.book(typeId, noon(2));
  await vi.waitFor(() => expect(desk.mails.mails).toHaveLength(1), WAIT);

  // No campaign mail has been accepted yet.
  for (const id of ids) {
    expect((await campaignOf(desk, id)).status).toBe('sending');
    const recipients = await recipientsOf(desk, id);
    expect(recipients.filter(({ status }) => !/pending|sending/.test(status))).toEqual([]);
  }
  server.release();
  await vi.waitFor(async () => {
    const states = await Promise.all(ids.map((id) => campaignOf(desk, id)));
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['sent']));
  }, WAIT);
  expect(server.begun).toHaveLength(SUB_ACCOUNTS * GUESTS);
});
