import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleSendMessage } from '../../../src/conversations/messages/send-message.ts';
import { OPERATOR } from '../../support/service.ts';
import { mailServer, smtp, startSending, type Sending } from '../sending.support.ts';

const send = (sending: Sending, messageId: string, attempt: number, over: object = {}) =>
  handleSendMessage.handle({ subAccountId: sending.subAccountId, messageId }, {
    ...sending,
    actor: OPERATOR,
    attempt,
    queuedAt: new Date(),
    signal: new AbortController().signal,
    settings: { sendRetries: [], baseUrl: 'https://desk.example', outboundAllow: ['127.0.0.0/8'] },
    ...over,
  } as unknown as JobContext);

test('a message whose sending always throws is failed at last instead of pending forever', async () => {
  const sending = await startSending();
  await sending.setUp(smtp(25));
  const id = await sending.write('email');
  for (const attempt of [1, 2]) {
    await expect(send(sending, id, attempt, { tools: undefined })).rejects.toBeInstanceOf(
      TypeError,
    );
    expect(await sending.message(id)).toMatchObject({ status: 'pending' });
  }
  await send(sending, id, 3, { tools: undefined });
  expect(await sending.message(id)).toMatchObject({
    status: 'failed',
    errorCode: 'internal_error',
  });
  expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
});

test('a mail that was taken but whose outcome cannot be stored is not sent again', async () => {
  const sending = await startSending();
  const server = await mailServer();
  await sending.setUp(smtp(server.port));
  const id = await sending.write('email');
  let calls = 0;
  const transact: JobContext['transact'] = (...given) => {
    calls += 1;
    return calls === 1 ? Promise.reject(new TypeError('broken')) : sending.transact(...given);
  };
  await send(sending, id, 1, { transact });
  await send(sending, id, 2);
  expect(server.mails).toHaveLength(1);
  expect(await sending.message(id)).toMatchObject({
    status: 'failed',
    errorCode: 'outcome_unknown',
  });
  expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
});
