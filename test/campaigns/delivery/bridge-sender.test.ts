import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { createHmac } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createCampaign } from '../../../src/campaigns/create-campaign.ts';
import { sendCampaign } from '../../../src/campaigns/start-campaign.ts';
import { receiveReceipt } from '../../../src/conversations/inbound/receive-receipt.ts';
import { SECRET, sink, startSending, type Sending } from '../../conversations/sending.support.ts';
import type { Sink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';
import {
  became,
  CAMPAIGN,
  campaignOf,
  clients,
  recipientsOf,
  setUpCampaigns,
  WAIT,
} from '../campaigns.support.ts';
import { fired, statuses } from '../mailing.support.ts';

const FROM = 'Harbour <news@harbour.example>';

/** A campaign that a worker sends through a bridge. */
async function bridged(
  to: Sink,
  emails: readonly string[],
  channel: object = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const sending = await startSending(variables);
  const bridge = { provider: 'http', apiBaseUrl: `${to.url}/send`, secret: SECRET, from: FROM };
  await sending.setUp({ email: { ...bridge, ...channel } });
  await setUpCampaigns(sending);
  await clients(sending, emails);
  const { transact, subAccountId } = sending;
  const id = await transact(subAccountId, OPERATOR, (work) => createCampaign(work, CAMPAIGN));
  await transact(subAccountId, OPERATOR, (work) => sendCampaign(work, id));
  await sending.startWorker();
  return { sending, id };
}

const bodyIn = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString());

test('a campaign is sent through the http bridge: signed, with its headers, one call per address', async () => {
  const to = await sink();
  to.answer = (_, response) =>
    void response.end(JSON.stringify({ externalId: `b-${to.requests.length}` }));
  const emails = ['amy@example.com', 'bob@example.com', 'eve@example.com'];
  const { sending, id } = await bridged(to, emails, { ratePerSecond: 50 });
  await became(sending, id, 'sent');
  const bodies = to.requests.map(bodyIn);
  expect(bodies.map((body): string => body.to).toSorted()).toEqual(emails);

  const [recipient] = await recipientsOf(sending, id);
  const amy = bodies.find((body) => body.to === 'amy@example.com');
  expect(amy).toEqual({
    messageId: recipient?.id,
    campaignId: id,
    to: 'amy@example.com',
    from: FROM,
    subject: 'Hello amy',
    bodyText: expect.stringContaining('Dear amy Guest, spring is here.'),
    bodyHtml: expect.stringContaining('<p>Dear amy Guest, spring is here.</p>'),
    headers: {
      'List-Unsubscribe': expect.stringMatching(/^<https?:\/\/\S+\/u\/[\w-]{64}>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Message-ID': `<${recipient?.id}@harbour.example>`,
    },
  });
  const [first] = to.requests;
  const signature = createHmac('sha256', SECRET)
    .update(first?.body ?? '')
    .digest('hex');
  expect(first?.headers['x-signature']).toBe(`sha256=${signature}`);
  const stored = await sending.database.rows<{ externalId: string }>(
    `select external_id as "externalId" from campaign_recipients where campaign_id = $1`,
    [id],
  );
  expect(stored.map(({ externalId }) => externalId).toSorted()).toEqual(['b-1', 'b-2', 'b-3']);
  expect(await fired(sending)).toEqual([]);
});

test('a recipient without a clear response of the bridge is unknown and never posted again', async () => {
  const to = await sink();
  to.answer = ({ socket }, response) => {
    const { to: email } = bodyIn(to.requests.at(-1)!);
    switch (email) {
      case 'reset@example.com':
        return void socket.resetAndDestroy();
      case 'nameless@example.com':
        return void response.end('{}');
      case 'refused@example.com':
        return void response.writeHead(422).end();
      case 'later@example.com':
        return void response.writeHead(503).end();
      default:
        return void response.end('{"externalId":"b"}');
    }
  };
  const names = ['fine', 'later', 'nameless', 'refused', 'reset'];
  const emails = names.map((name) => `${name}@example.com`);
  const { sending, id } = await bridged(to, emails);
  await became(sending, id, 'sent');
  expect(await statuses(sending, id)).toEqual({
    fine: 'sent',
    later: 'failed',
    nameless: 'unknown',
    refused: 'failed',
    reset: 'unknown',
  });
  const asked = to.requests.map((request) => bodyIn(request).to);
  const times = Object.fromEntries(
    emails.map((email) => [email, asked.filter((one) => one === email).length]),
  );
  expect(times).toEqual({
    'fine@example.com': 1,
    'later@example.com': 3,
    'nameless@example.com': 1,
    'refused@example.com': 1,
    'reset@example.com': 1,
  });
  expect(await fired(sending)).toEqual([]);
});

test('if the bridge refuses the channel, the campaign is held and no recipient fails', async () => {
  const to = await sink();
  to.answer = (_, response) => void response.writeHead(401).end();
  const { sending, id } = await bridged(to, ['amy@example.com', 'bob@example.com']);
  await became(sending, id, 'held');
  expect((await campaignOf(sending, id)).heldBecause).toBe('401');
  await vi.waitFor(
    async () => expect(await statuses(sending, id)).toEqual({ amy: 'pending', bob: 'pending' }),
    WAIT,
  );
});

test('a bridge at a private address that is not allowed holds the campaign', async () => {
  const to = await sink();
  const variables = { FRONTDESK_OUTBOUND_ALLOW: '10.9.0.0/16' };
  const { sending, id } = await bridged(to, ['amy@example.com'], {}, variables);
  await became(sending, id, 'held');
  expect((await campaignOf(sending, id)).heldBecause).toBe('private_address');
  expect(to.connections).toBe(0);
});

test('a bounce that the bridge reports before its response counts for the mail', async () => {
  const to = await sink();
  const started = Promise.withResolvers<Sending>();
  const bounce = { externalId: 'b-1', status: 'bounced', errorCode: '5.1.1' } as const;
  const report = ({ transact, subAccountId }: Sending) =>
    transact(subAccountId, OPERATOR, (work) => receiveReceipt(work, 'email', bounce));
  to.answer = (_, response) =>
    void started.promise.then(report).then(() => response.end('{"externalId":"b-1"}'));
  const { sending, id } = await bridged(to, ['amy@example.com']);
  started.resolve(sending);
  await became(sending, id, 'sent');
  expect(await recipientsOf(sending, id)).toMatchObject([{ status: 'failed', errorCode: '5.1.1' }]);
  const view = sending.openView(sending.subAccountId, new Date());
  const closed = await findSuppressions(view, { channel: 'email' });
  expect(closed.map(({ address }) => address)).toEqual(['amy@example.com']);
  expect(await sending.database.rows('select id from message_receipts')).toEqual([]);
  expect(await fired(sending)).toEqual([]);
});
