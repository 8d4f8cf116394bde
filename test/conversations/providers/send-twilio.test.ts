import { describe, expect, test, vi } from 'vitest';
import { ingest } from '../../../src/conversations/inbound/ingest.ts';
import { OPERATOR } from '../../support/service.ts';
import { WAIT } from '../../support/deliveries.ts';
import { answering, PHONE, sink, startSending } from '../sending.support.ts';
import type { Sink } from '../../support/https-sink.ts';

const FROM = '+4930999999';

const twilio = ({ url }: Sink, more: object = {}) => ({
  sms: {
    provider: 'twilio',
    accountSid: 'AC0123456789',
    authToken: 'auth-token',
    from: FROM,
    apiBaseUrl: `${url}/`,
    ...more,
  },
});

/** Twilio's response with status 201. */
const taken = (sid: string, status = 'queued', more: object = {}) =>
  JSON.stringify({ sid, status, error_code: null, error_message: null, ...more });

const formOf = ({ body }: { readonly body: Buffer }) =>
  Object.fromEntries(new URLSearchParams(String(body)));

async function started(answers: readonly (number | string)[], more: object = {}) {
  const sending = await startSending();
  const to = await sink();
  answering(to, answers);
  await sending.setUp(twilio(to, more));
  return { sending, to };
}

/** Waits until the message has its SID. */
const named = async (sending: Awaited<ReturnType<typeof started>>['sending'], id: string) => {
  await vi.waitFor(async () => expect((await sending.message(id)).externalId).not.toBe(null), WAIT);
  return sending.message(id);
};

describe('an SMS by Twilio', () => {
  test('is posted as a form with the account’s credentials, and stays pending under its SID', async () => {
    const { sending, to } = await started([taken('SM1')]);
    const id = await sending.write('sms', 'Grüße & bis Dienstag');
    await sending.startWorker();
    expect(await named(sending, id)).toMatchObject({ status: 'pending', externalId: 'SM1' });
    const [request] = await to.next(1);
    expect([request?.method, request?.path]).toEqual([
      'POST',
      '/2010-04-01/Accounts/AC0123456789/Messages.json',
    ]);
    const callback = `/webhooks/provider/${sending.subAccountId}/sms/status?messageId=${id}`;
    expect(formOf(request!)).toEqual({
      To: PHONE,
      From: FROM,
      Body: 'Grüße & bis Dienstag',
      StatusCallback: `http://localhost:8080${callback}`,
    });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from('AC0123456789:auth-token').toString('base64')}`,
    });
    expect(await sending.fired()).toEqual([]);
  });

  test('is sent by a messaging service if that is the sender', async () => {
    const { sending, to } = await started([taken('SM1')], { from: 'MG77' });
    await named(sending, await sentBy(sending));
    const form = formOf(to.requests[0]!);
    expect([form['MessagingServiceSid'], form['From']]).toEqual(['MG77', undefined]);
  });

  test.each(['accepted', 'scheduled', 'sending', 'an unknown status'])(
    'with the status %s is on its way',
    async (status) => {
      const { sending } = await started([taken('SM1', status)]);
      expect(await named(sending, await sentBy(sending))).toMatchObject({ status: 'pending' });
    },
  );

  test('that Twilio sent at once is sent', async () => {
    const { sending } = await started([taken('SM1', 'sent')]);
    const id = await sentBy(sending);
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'SM1' });
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.sent']);
  });

  test.each(['failed', 'undelivered', 'canceled'])(
    'with the status %s fails at once, under its SID',
    async (status) => {
      const { sending } = await started([taken('SM1', status, { error_code: 30_003 })]);
      const id = await sentBy(sending);
      expect(await sending.settled(id)).toMatchObject({
        status: 'failed',
        errorCode: '30003',
        externalId: 'SM1',
      });
      expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
    },
  );

  test('that Twilio accepted is not sent again by a repeated job', async () => {
    const { sending, to } = await started([taken('SM1')]);
    const id = await sentBy(sending);
    await named(sending, id);
    await sending.database.rows(
      `select graphile_worker.add_job('conversations/send-message', json_build_object(
         'subAccountId', $1::text, 'messageId', $2::text))`,
      [sending.subAccountId, id],
    );
    await vi.waitFor(async () => {
      const jobs = await sending.database.rows(
        'select id from graphile_worker._private_jobs where locked_at is null and run_at <= now()',
        [],
      );
      expect(jobs).toEqual([]);
    }, WAIT);
    expect(to.requests).toHaveLength(1);
  });

  test('is not sent again if the response was lost but Twilio called back', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '1s' });
    const to = await sink();
    to.answer = (_, response) => void response.destroy();
    await sending.setUp(twilio(to));
    const id = await sentBy(sending);
    await to.next(1);
    const { subAccountId } = sending;
    const name = { messageId: id, externalId: 'SM1' };
    await sending.transact(subAccountId, OPERATOR, (work) =>
      ingest(work, 'sms', {
        inbound: [],
        names: [name],
        receipts: [{ externalId: 'SM1', status: 'sent' }],
      }),
    );
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'SM1' });
    await vi.waitFor(async () => {
      const jobs = await sending.database.rows('select id from graphile_worker._private_jobs', []);
      expect(jobs).toEqual([]);
    }, WAIT);
    expect(to.requests).toHaveLength(1);
  });

  test('is retried after 429 and 503, and without a response', async () => {
    const { sending, to } = await started([429, 503, taken('SM3')]);
    expect(await named(sending, await sentBy(sending))).toMatchObject({ externalId: 'SM3' });
    expect(to.requests).toHaveLength(3);
  });

  test.each([
    [21_211, "The 'To' number is not valid"],
    [21_614, 'not a mobile number'],
    [20_003, 'Authenticate'],
  ])('that Twilio refuses with %i fails at once with the reason', async (code, message) => {
    const { sending, to } = await refusing(code === 20_003 ? 401 : 400, { code, message });
    const id = await sentBy(sending);
    const failed = await sending.settled(id);
    expect(failed).toMatchObject({ status: 'failed', errorCode: String(code) });
    expect(failed.errorMessage).toContain(message);
    expect(to.requests).toHaveLength(1);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
    expect(await sending.database.rows('select id from opt_outs', [])).toEqual([]);
  });

  test('to a phone that opted out at its carrier suppresses the phone', async () => {
    const { sending } = await refusing(400, { code: 21_610, message: 'unsubscribed recipient' });
    const id = await sentBy(sending);
    expect(await sending.settled(id)).toMatchObject({ status: 'failed', errorCode: '21610' });
    expect(
      await sending.database.rows('select channel, address, reason from opt_outs', []),
    ).toEqual([{ channel: 'sms', address: PHONE, reason: 'stop' }]);
  });

  test('longer than 1,600 characters fails before Twilio is called', async () => {
    const { sending, to } = await started([taken('SM1')]);
    const id = await sending.write('sms', 'x'.repeat(1_601));
    await sending.startWorker();
    const failed = await sending.settled(id);
    expect(failed).toMatchObject({ status: 'failed', errorCode: 'text_too_long' });
    expect(to.requests).toHaveLength(0);
  });

  test.each(['ok', '{}', '{"sid":7}'])(
    'with the response %j fails, since it may have been sent',
    async (body) => {
      const { sending, to } = await started([body]);
      const id = await sentBy(sending);
      expect(await sending.settled(id)).toMatchObject({ errorCode: 'invalid_answer' });
      expect(to.requests).toHaveLength(1);
    },
  );

  test('never reaches a private address that the operator does not allow', async () => {
    const sending = await startSending({
      FRONTDESK_OUTBOUND_ALLOW: '10.9.0.0/16',
      FRONTDESK_SEND_RETRIES: '10ms',
    });
    const to = await sink();
    await sending.setUp(twilio(to));
    const id = await sentBy(sending);
    expect(await sending.settled(id)).toMatchObject({
      status: 'failed',
      errorCode: 'private_address',
    });
    expect(to.connections).toBe(0);
  });
});

async function refusing(status: number, body: object) {
  const { sending, to } = await started([]);
  to.answer = (_, response) => {
    response.statusCode = status;
    response.end(JSON.stringify({ ...body, status, more_info: 'https://example.com' }));
  };
  return { sending, to };
}

async function sentBy(sending: Awaited<ReturnType<typeof startSending>>): Promise<string> {
  const id = await sending.write('sms');
  await sending.startWorker();
  return id;
}
