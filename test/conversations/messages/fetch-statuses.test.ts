import { describe, expect, test, vi } from 'vitest';
import { firstIdAt } from '#lib/id.ts';
import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { OPERATOR } from '../../support/service.ts';
import { WAIT } from '../../support/deliveries.ts';
import { sink, startSending, type Sending } from '../sending.support.ts';

const MINUTE_MS = 60_000;
const SID = 'SM 1/ü';
const MESSAGE = `/2010-04-01/Accounts/AC0123456789/Messages/${encodeURIComponent(SID)}.json`;

/** A message that Twilio accepted some time ago and never reported on, and Twilio's response to a fetch. */
async function underway(ageMs: number, status: number, said: object) {
  const sending = await startSending();
  const to = await sink();
  to.answer = ({ method }, response) => {
    const isAsked = method === 'GET';
    response.statusCode = isAsked ? status : 201;
    response.end(JSON.stringify(isAsked ? said : { sid: SID, status: 'queued' }));
  };
  const { origin: apiBaseUrl } = new URL(to.url);
  const account = { accountSid: 'AC0123456789', authToken: 'auth-token', from: '+4930999999' };
  await sending.setUp({ sms: { provider: 'twilio', ...account, apiBaseUrl } });
  const written = await sending.write('sms');
  await sending.startWorker();
  await vi.waitFor(async () => expect((await sending.message(written)).externalId).toBe(SID), WAIT);
  const id = firstIdAt(new Date(Date.now() - ageMs));
  await sending.database.rows('update messages set id = $2 where id = $1', [written, id]);
  const asked = () => to.requests.filter(({ method }) => method === 'GET');
  return { sending, id, asked };
}

/** Queues the job as the schedule does, and waits until it has run. */
async function ask({ database }: Sending): Promise<void> {
  await database.rows(`select graphile_worker.add_job('conversations/ask-all-underway', '{}')`, []);
  await vi.waitFor(async () => {
    const jobs = await database.rows(
      `select from graphile_worker.jobs where task_identifier like 'conversations/ask-%'`,
      [],
    );
    expect(jobs).toEqual([]);
  }, WAIT);
}

describe('a message that Twilio accepted without a status callback', () => {
  test('is fetched with the credentials of the account, and gets the status that Twilio returns', async () => {
    const { sending, id, asked } = await underway(16 * MINUTE_MS, 200, {
      sid: SID,
      status: 'delivered',
      error_code: null,
    });
    await ask(sending);
    expect(await sending.message(id)).toMatchObject({ status: 'delivered', externalId: SID });
    expect(await sending.fired()).toMatchObject([
      { name: 'message.delivered', data: { messageId: id, externalId: SID } },
    ]);
    const credentials = Buffer.from('AC0123456789:auth-token').toString('base64');
    expect(asked()).toMatchObject([
      { path: MESSAGE, headers: { authorization: `Basic ${credentials}` } },
    ]);
    await ask(sending);
    expect([asked(), await sending.fired()]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('fails if Twilio says so', async () => {
    const said = { sid: SID, status: 'undelivered', error_code: 30_003 };
    const { sending, id } = await underway(16 * MINUTE_MS, 200, said);
    await ask(sending);
    expect(await sending.message(id)).toMatchObject({ status: 'failed', errorCode: '30003' });
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
  });

  test('fails if Twilio no longer knows it', async () => {
    const { sending, id } = await underway(16 * MINUTE_MS, 404, { code: 20_404, status: 404 });
    await ask(sending);
    expect(await sending.message(id)).toMatchObject({ status: 'failed', errorCode: '20404' });
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
  });

  test.each([
    ['a message on its way', 200, { sid: SID, status: 'sending' }],
    ['another message', 200, { sid: 'SM2', status: 'failed' }],
    ['nothing', 200, {}],
    ['a 404 of a proxy', 404, { code: 'not found' }],
    ['a 429', 503, { sid: SID, status: 'failed' }],
    ['a 401', 401, { code: 20_003 }],
  ])('stays pending if the response is %s, and is fetched again', async (_, status, said) => {
    const { sending, id, asked } = await underway(16 * MINUTE_MS, status, said);
    await ask(sending);
    await ask(sending);
    expect(await sending.message(id)).toMatchObject({ status: 'pending', errorCode: null });
    expect([asked().length, await sending.fired()]).toEqual([2, []]);
  });

  test('is not fetched in the first 15 minutes', async () => {
    const { sending, id, asked } = await underway(10 * MINUTE_MS, 200, {
      sid: SID,
      status: 'sent',
    });
    await ask(sending);
    expect([(await sending.message(id)).status, asked()]).toEqual(['pending', []]);
  });

  test('fails after three days without a status', async () => {
    const { sending, id, asked } = await underway(73 * 60 * MINUTE_MS, 503, {});
    await ask(sending);
    expect(await sending.message(id)).toMatchObject({ status: 'failed', errorCode: 'no_receipt' });
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
    expect(asked()).toHaveLength(1);
  });

  test('fails after that time even without a provider', async () => {
    const { sending, id, asked } = await underway(73 * 60 * MINUTE_MS, 503, {});
    await sending.database.rows('delete from channels', []);
    await ask(sending);
    expect(await sending.message(id)).toMatchObject({ errorCode: 'no_receipt' });
    expect(asked()).toEqual([]);
  });

  test('is not fetched after the deletion of its sub-account', async () => {
    const { sending, id, asked } = await underway(73 * 60 * MINUTE_MS, 503, {});
    await sending.transact(sending.subAccountId, OPERATOR, deleteSubAccount);
    await ask(sending);
    expect([(await sending.message(id)).status, asked()]).toEqual(['pending', []]);
  });
});
