import { createHmac } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { logSendFailure } from '../../../src/conversations/messages/log-send-failure.ts';
import { handleSendMessage } from '../../../src/conversations/messages/send-message.ts';
import { WAIT } from '../../support/deliveries.ts';
import { OPERATOR } from '../../support/service.ts';
import { queued } from '../conversations.support.ts';
import { answering, bridge, SECRET, sink, startSending, type Sending } from '../sending.support.ts';

describe('a message by the http bridge', () => {
  test('is posted once, signed, and sent under the returned id', async () => {
    const sending = await startSending();
    const to = await sink();
    answering(to, ['{"externalId":"dm-1"}']);
    await sending.setUp(bridge(to, { from: '@harbour' }));
    const id = await sending.write('social_dm', 'Grüße');
    await sending.startWorker();

    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'dm-1' });
    const [request] = await to.next(1);
    expect([request?.method, request?.path]).toEqual(['POST', '/send']);
    expect(JSON.parse(String(request?.body))).toEqual({
      messageId: id,
      to: null,
      from: '@harbour',
      bodyText: 'Grüße',
    });
    const signature = createHmac('sha256', SECRET).update(request!.body).digest('hex');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-signature': `sha256=${signature}`,
    });
    expect(to.requests).toHaveLength(1);
    const data = { messageId: id, channel: 'social_dm', status: 'sent', externalId: 'dm-1' };
    expect(await sending.fired()).toEqual([
      { name: 'message.sent', data: expect.objectContaining(data) },
    ]);
  });

  test('that is a mail is posted with subject, HTML and address', async () => {
    const sending = await startSending();
    const to = await sink();
    answering(to, ['{"externalId":"mail-1"}']);
    await sending.setUp({ email: bridge(to).social_dm });
    const id = await sending.write('email', 'Hello', '<p>Hello</p>');
    await sending.startWorker();
    await sending.settled(id);
    expect(JSON.parse(String(to.requests[0]?.body))).toEqual({
      messageId: id,
      to: 'ada@example.com',
      from: null,
      subject: 'Your visit',
      bodyText: 'Hello',
      bodyHtml: '<p>Hello</p>',
    });
  });

  test('is retried after 429 and 503 with the same body, and then sent', async () => {
    const sending = await startSending();
    const to = await sink();
    answering(to, [429, 503, '{"externalId":"dm-3"}']);
    await sending.setUp(bridge(to));
    const id = await sending.write('social_dm');
    await sending.startWorker();
    expect(await sending.settled(id)).toEqual({
      status: 'sent',
      externalId: 'dm-3',
      errorCode: null,
      errorMessage: null,
    });
    expect(new Set(to.requests.map(({ body }) => String(body))).size).toBe(1);
    expect(to.requests).toHaveLength(3);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.sent']);
  });

  test('waits as long as a bridge asks, up to twice the step', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '1h,1h' });
    const to = await sink();
    to.answer = (_, response) => {
      response.statusCode = 503;
      response.setHeader('retry-after', to.requests.length === 1 ? '5400' : '100000');
      response.end();
    };
    await sending.setUp(bridge(to));
    await sending.write('social_dm');
    await sending.startWorker();
    for (const [attempt, minutes] of [
      [2, 90],
      [3, 120],
    ] as const) {
      const wait = await waiting(sending, attempt);
      expect(Math.round(wait / 60_000)).toBe(minutes);
      await sending.database.rows(NOW, []);
    }
    await to.next(3);
  });

  test('fails after the last wait, with the status as its code', async () => {
    const sending = await startSending();
    const to = await sink();
    answering(to, [500, 500, 502]);
    await sending.setUp(bridge(to));
    const id = await sending.write('social_dm');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'failed', errorCode: '502' });
    expect(to.requests).toHaveLength(3);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
  });

  test('fails for an unreachable bridge', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '10ms' });
    await sending.setUp(bridge({ ...(await sink()), url: 'http://127.0.0.1:1' }));
    const id = await sending.write('social_dm');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({
      status: 'failed',
      errorCode: 'network',
      errorMessage: 'connection refused',
    });
  });

  test('never reaches a private address that the operator does not allow', async () => {
    const variables = { FRONTDESK_OUTBOUND_ALLOW: '10.9.0.0/16', FRONTDESK_SEND_RETRIES: '10ms' };
    const sending = await startSending(variables);
    const to = await sink();
    await sending.setUp(bridge(to));
    const id = await sending.write('social_dm');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({
      status: 'failed',
      errorCode: 'private_address',
      errorMessage: 'the address 127.0.0.1 is not public',
    });
    expect(to.connections).toBe(0);
  });

  test('at a private address is logged with that address, others without the message', () => {
    const warn = vi.fn<(about: object, text: string) => void>();
    const context = { log: { warn }, attempt: 1 } as unknown as JobContext;
    const about = { subAccountId: 's', message: { id: 'm', channel: 'sms' } } as const;
    const failing = {
      errorCode: 'private_address',
      errorMessage: 'the address 10.1.2.3 is not public',
    };
    logSendFailure(context, {
      ...about,
      outcome: { result: 'refused', ...failing },
      waitMs: undefined,
    });
    logSendFailure(context, { ...about, outcome: { result: 'again', ...failing }, waitMs: 5_000 });
    expect(warn.mock.calls).toEqual([
      [
        expect.objectContaining({ messageId: 'm', reason: failing.errorMessage }),
        expect.stringContaining('message failed; FRONTDESK_OUTBOUND_ALLOW'),
      ],
      [expect.not.objectContaining({ reason: failing.errorMessage }), expect.any(String)],
    ]);
  });

  test('that fails for good is logged once, without what the provider said', () => {
    const warn = vi.fn<(about: object, text: string) => void>();
    const context = { log: { warn }, attempt: 3 } as unknown as JobContext;
    const about = { subAccountId: 's', message: { id: 'm', channel: 'email' } } as const;
    const failing = { errorCode: 'ECONNREFUSED', errorMessage: 'no ada@example.com here' };
    const logged = { ...about.message, subAccountId: 's', attempt: 3, errorCode: 'ECONNREFUSED' };
    for (const result of ['again', 'refused', 'unknown'] as const) {
      logSendFailure(context, { ...about, outcome: { result, ...failing }, waitMs: undefined });
    }
    logSendFailure(context, {
      ...about,
      outcome: { result: 'taken', externalId: 'e' },
      waitMs: undefined,
    });
    const { id: messageId, ...line } = logged;
    expect(warn.mock.calls).toEqual([
      [{ ...line, messageId }, 'message failed: no further attempt is made'],
      [{ ...line, messageId }, 'message failed: the provider refused it'],
      [{ ...line, messageId }, 'message failed: it is unknown whether the provider accepted it'],
    ]);
  });

  test.each([
    [400, '400'],
    [404, '404'],
    [302, '302'],
    ['ok', 'invalid_answer'],
    ['{}', 'invalid_answer'],
    ['null', 'invalid_answer'],
    ['{"externalId":7}', 'invalid_answer'],
    [String.raw`{"externalId":"a\u0000"}`, 'invalid_answer'],
    [`{"externalId":"${'編'.repeat(998)}"}`, 'invalid_answer'],
  ])('fails at once for the response %j, with %s', async (answer, errorCode) => {
    const sending = await startSending();
    const to = await sink();
    answering(to, [answer]);
    await sending.setUp(bridge(to));
    const id = await sending.write('social_dm');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'failed', errorCode });
    expect(to.requests).toHaveLength(1);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
  });

  test('with the id of another message fails and is not posted again', async () => {
    const sending = await startSending();
    const to = await sink();
    answering(to, ['{"externalId":"same"}']);
    await sending.setUp(bridge(to));
    await sending.startWorker();
    await sending.settled(await sending.write('social_dm'));
    const second = await sending.settled(await sending.write('social_dm'));
    expect(second).toMatchObject({ status: 'failed', errorCode: 'invalid_answer' });
    expect(to.requests).toHaveLength(2);
  });

  test('is not posted again by a repeated job after it was acknowledged', async () => {
    const sending = await startSending();
    const to = await sink();
    answering(to, ['{"externalId":"dm-1"}']);
    await sending.setUp(bridge(to));
    const id = await sending.write('social_dm');
    const first = await sending.startWorker();
    await sending.settled(id);
    await first.stop();
    const { subAccountId } = sending;
    await sending.database.rows(
      `select graphile_worker.add_job('conversations/send-message', json_build_object(
         'subAccountId', $1::text, 'messageId', $2::text))`,
      [subAccountId, id],
    );
    await sending.startWorker();
    await vi.waitFor(async () => expect(await queued(sending as never)).toEqual([]), WAIT);
    expect(to.requests).toHaveLength(1);
    expect(await sending.fired()).toHaveLength(1);
  });

  test('in flight when its worker stops is posted again under the same id', async () => {
    const sending = await startSending();
    const to = await sink();
    const stop = new AbortController();
    to.answer = () => stop.abort();
    await sending.setUp(bridge(to));
    const id = await sending.write('social_dm');
    const context = {
      ...sending,
      actor: OPERATOR,
      queuedAt: new Date(),
      settings: { sendRetries: [10], baseUrl: 'http://localhost' },
      signal: stop.signal,
    } as unknown as JobContext;
    const { subAccountId } = sending;
    const performed = handleSendMessage.handle({ subAccountId, messageId: id }, context);
    await expect(performed).rejects.toMatchObject({ name: 'AbortError' });
    expect(await sending.message(id)).toMatchObject({ status: 'pending' });

    answering(to, ['{"externalId":"dm-1"}']);
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'dm-1' });
    const [first, second, ...more] = to.requests.map(({ body }) => String(body));
    expect([second, more]).toEqual([first, []]);
  });

  test('waits between attempts in the queue, where every worker finds it', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '1h' });
    const to = await sink();
    answering(to, [503, '{"externalId":"dm-2"}']);
    await sending.setUp(bridge(to));
    const id = await sending.write('social_dm');
    const first = await sending.startWorker();
    await to.next(1);
    await first.stop();
    expect(await sending.message(id)).toMatchObject({ status: 'pending' });
    expect(await queued(sending as never)).toEqual([id]);
    await sending.database.rows(NOW);
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'dm-2' });
    expect(to.requests).toHaveLength(2);
  });
});

/** Waits for the job of an attempt and returns the time until it is due. */
async function waiting({ database }: Sending, attempt: number): Promise<number> {
  return vi.waitFor(async () => {
    const [job] = await database.rows<{ wait: number }>(WAITING, [attempt]);
    expect(job).toBeDefined();
    return Number(job?.wait);
  }, WAIT);
}

const WAITING = `select extract(epoch from run_at - now()) * 1000 as wait
  from graphile_worker._private_jobs where (payload->>'attempt')::int = $1 and run_at > now()`;

const NOW = 'update graphile_worker._private_jobs set run_at = now() where run_at > now()';
