import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { sendCampaign } from '../../src/campaigns/start-campaign.ts';
import type { pauseCampaign } from '../../src/campaigns/pause-resume-cancel.ts';
import { smtp, startSending, type Sending } from '../conversations/sending.support.ts';
import { OPERATOR } from '../support/service.ts';
import { CAMPAIGN, clients, recipientsOf, setUpCampaigns } from './campaigns.support.ts';

export const guests = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `guest${n + 100}@example.com`);

/** A campaign that is being sent, by a worker or by none yet. */
export async function started(
  port: number,
  emails: readonly string[],
  { channel = {}, worker = true }: { readonly channel?: object; readonly worker?: boolean } = {},
) {
  const sending = await startSending();
  await sending.setUp(smtp(port, channel));
  await setUpCampaigns(sending);
  await clients(sending, emails);
  const { transact, subAccountId } = sending;
  const id = await transact(subAccountId, OPERATOR, (work) => createCampaign(work, CAMPAIGN));
  await transact(subAccountId, OPERATOR, (work) => sendCampaign(work, id));
  if (worker) {
    await sending.startWorker();
  }
  const steer = (change: typeof pauseCampaign) =>
    transact(subAccountId, OPERATOR, (work) => change(work, id));
  return { sending, id, steer };
}

/** Of the lines, by the local part of the address. */
export const statuses = async (sending: Sending, id: string) =>
  Object.fromEntries(
    (await recipientsOf(sending, id)).map(({ address, status }) => [address.split('@')[0], status]),
  );

/** How many lines are neither pending nor under way. */
export const settled = async (sending: Sending, id: string): Promise<number> =>
  (await recipientsOf(sending, id)).filter(({ status }) => !/pending|sending/.test(status)).length;

/** What was fired about anything but contacts. */
export const fired = (sending: Sending) =>
  sending.database.rows(
    `select name from outbox where name not like 'contact.%'
     union all select name from events where name not like 'contact.%'`,
  );
