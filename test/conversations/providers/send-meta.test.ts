import { describe, expect, test } from 'vitest';
import type { Sink } from '../../support/https-sink.ts';
import { answering, sink, startSending } from '../sending.support.ts';

const meta = ({ url }: Sink, channel: string) => ({
  [channel]: {
    provider: 'meta',
    pageId: '112233',
    accessToken: 'page-token',
    appSecret: 'app-secret',
    verifyToken: 'verify-token',
    apiBaseUrl: `${url}/v23.0`,
  },
});

async function answeredBy(
  answers: readonly (number | string)[],
  channel: 'messenger' | 'instagram' = 'messenger',
) {
  const sending = await startSending();
  const to = await sink();
  answering(to, answers);
  await sending.setUp(meta(to, channel));
  const thread = await sending.wrote(channel, 'psid-1');
  const id = await sending.reply(thread, channel, 'Grüße');
  await sending.startWorker();
  return { sending, to, id };
}

const SENT = ['message.received', 'message.sent'];
const FAILED = ['message.received', 'message.failed'];

describe('a message by Meta', () => {
  test.each(['messenger', 'instagram'] as const)(
    'by %s reaches the last sender, and is sent under its id',
    async (channel) => {
      const { sending, to, id } = await answeredBy(['{"message_id":"m_1"}'], channel);
      expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'm_1' });
      const [request] = await to.next(1);
      expect([request?.method, request?.path]).toEqual(['POST', '/v23.0/112233/messages']);
      expect(request?.headers).toMatchObject({
        'content-type': 'application/json',
        authorization: 'Bearer page-token',
      });
      expect(JSON.parse(String(request?.body))).toEqual({
        recipient: { id: 'psid-1' },
        messaging_type: 'RESPONSE',
        message: { text: 'Grüße' },
      });
      expect((await sending.fired()).map(({ name }) => name)).toEqual(SENT);
    },
  );

  test.each([
    [{ code: 190, message: 'Session has expired' }, '190', 'connect the page again'],
    [{ code: 10, error_subcode: 2_018_278 }, '10', 'not written in the last 24 hours'],
    [{ code: 10, error_subcode: 2_534_022 }, '10', 'not written in the last 24 hours'],
    [{ code: 100, message: 'No matching user found' }, '100', 'No matching user found'],
    [{ code: 100, message: `a\0b${'c'.repeat(2_000)}` }, '100', 'abc'],
    [{}, '400', 'Meta returned 400'],
    [null, '400', 'Meta returned 400'],
    ['gone wrong', '400', 'Meta returned 400'],
  ])('fails at once for %j, as %s', async (error, code, message) => {
    const { sending, to, id } = await refusedBy(400, { error });
    const failed = await sending.settled(id);
    expect(failed).toMatchObject({ status: 'failed', errorCode: code });
    expect(failed.errorMessage).toContain(message);
    expect(to.requests).toHaveLength(1);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(FAILED);
  });

  test.each([
    [500, { code: 2 }],
    [429, {}],
    [400, { code: 613, message: 'Calls to this api have exceeded the rate limit' }],
    [403, { code: 4 }],
  ])('is retried after %i %j, and fails after the last wait', async (status, error) => {
    const { sending, to, id } = await refusedBy(status, { error });
    expect(await sending.settled(id)).toMatchObject({ status: 'failed' });
    expect(to.requests).toHaveLength(3);
  });

  test.each(['ok', '{}', '{"message_id":""}'])('fails for the response %j', async (body) => {
    const { sending, to, id } = await answeredBy([body]);
    expect(await sending.settled(id)).toMatchObject({ errorCode: 'invalid_answer' });
    expect(to.requests).toHaveLength(1);
  });
});

async function refusedBy(status: number, body: object) {
  const sending = await startSending();
  const to = await sink();
  to.answer = (_, response) => {
    response.statusCode = status;
    response.end(JSON.stringify(body));
  };
  await sending.setUp(meta(to, 'messenger'));
  const id = await sending.reply(await sending.wrote('messenger', 'psid-1'), 'messenger');
  await sending.startWorker();
  return { sending, to, id };
}
