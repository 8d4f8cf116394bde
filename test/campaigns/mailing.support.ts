import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { sendCampaign } from '../../src/campaigns/start-campaign.ts';
import type { pauseCampaign } from '../../src/campaigns/pause-resume-cancel.ts';
import { addSending, smtp, startSending, type Sending } from '../conversations/sending.support.ts';
import { OPERATOR } from '../support/service.ts';
import { CAMPAIGN, clients, recipientsOf, setUpCampaigns } from './campaigns.support.ts';

export const guests = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `guest${n + 100}@example.com`);

interface StartOptions {
  readonly channel?: object;
  readonly worker?: boolean;
  /** The service that gets a further sub-account. Default: a new service. */
  readonly beside?: Sending;
}

/** Starts a campaign of a new sub-account to these contacts, with or without a worker. */
export async function started(
  port: number,
  emails: readonly string[],
  { channel = {}, worker = true, beside }: StartOptions = {},
) {
  const sending = await (beside ? addSending(beside) : startSending());
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

/** Returns the status of each recipient by the local part of its address. */
export const statuses = async (sending: Sending, id: string) =>
  Object.fromEntries(
    (await recipientsOf(sending, id)).map(({ address, status }) => [address.split('@')[0], status]),
  );

/** Returns the number of recipients that are neither pending nor being sent. */
export const settled = async (sending: Sending, id: string): Promise<number> =>
  (await recipientsOf(sending, id)).filter(({ status }) => !/pending|sending/.test(status)).length;

/** Returns the events that are not about contacts. */
export const fired = (sending: Sending) =>
  sending.database.rows(
    `select name from outbox where name not like 'contact.%'
     union all select name from events where name not like 'contact.%'`,
  );
