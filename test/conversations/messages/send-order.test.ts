import { describe, expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { handleSendMessage } from '../../../src/conversations/messages/send-message.ts';
import { databaseNow, expectWait, skewed, SKEWS } from '../../support/clock-skew.ts';
import type { Sink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';
import { bridge, sink, startSending, type Sending } from '../sending.support.ts';

const ROUNDS = 20;
const TEXTS = ['1', '2', '3', '4'];

/** Replies in a conversation of its own and returns the texts as the bridge received them. */
async function sentInOneConversation(sending: Sending, to: Sink, from: string) {
  const conversation = await sending.wrote('social_dm', from);
  const ids: string[] = [];
  for (const text of TEXTS) {
    ids.push(await sending.reply(conversation, 'social_dm', text));
  }
  await Promise.all(ids.map((id) => sending.settled(id)));
  return to.requests
    .map(({ body }) => JSON.parse(String(body)))
    .filter(({ messageId }) => ids.includes(messageId))
    .map(({ bodyText }) => bodyText);
}

/** Accepts each message; `status` may refuse a request. */
function accepting(to: Sink, status: (text: string) => number = () => 200): void {
  to.answer = (_, response) => {
    const { messageId, bodyText } = JSON.parse(String(to.requests.at(-1)?.body));
    response.statusCode = status(bodyText);
    response.end(JSON.stringify({ externalId: messageId }));
  };
}

describe('messages of one conversation', () => {
  test('are sent in the order in which they were written, twenty times', async () => {
    const sending = await startSending();
    const to = await sink();
    accepting(to);
    await sending.setUp(bridge(to));
    await sending.startWorker();
    await sending.startWorker();
    for (let round = 0; round < ROUNDS; round += 1) {
      expect(await sentInOneConversation(sending, to, `sender-${round}`)).toEqual(TEXTS);
    }
  });

  test('wait for an attempt that is repeated soon', async () => {
    const sending = await startSending();
    const to = await sink();
    let refusals = 1;
    accepting(to, (text) => (text === '1' && (refusals -= 1) >= 0 ? 503 : 200));
    await sending.setUp(bridge(to));
    await sending.startWorker();
    expect(await sentInOneConversation(sending, to, 'sender')).toEqual(['1', ...TEXTS]);
  });

  test('do not wait for long, nor for another conversation', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '1h' });
    const to = await sink();
    accepting(to, (text) => (text === 'stuck' ? 503 : 200));
    await sending.setUp(bridge(to));
    await sending.startWorker();
    const conversation = await sending.wrote('social_dm', 'stuck');
    const stuck = await sending.reply(conversation, 'social_dm', 'stuck');
    const later = await sending.reply(conversation, 'social_dm', 'later');
    expect(await sentInOneConversation(sending, to, 'other')).toEqual(TEXTS);
    expect(await sending.settled(later)).toMatchObject({ status: 'sent' });
    expect((await sending.message(stuck)).status).toBe('pending');
  });
});

const JOB = `select j.run_at as "runAt", p.payload from graphile_worker.jobs j
  join graphile_worker._private_jobs p on p.id = j.id
  where j.key = 'conversations/send-message:' || $1`;

/** Runs the job of a message that began to wait for its place at this time. */
const runJob = (sending: Sending, messageId: string, queuedAt: number) =>
  handleSendMessage.handle({ subAccountId: sending.subAccountId, messageId }, {
    ...sending,
    actor: OPERATOR,
    queuedAt: new Date(queuedAt),
    signal: new AbortController().signal,
    settings: { sendRetries: [], baseUrl: 'https://desk.example' },
  } as unknown as JobContext);

describe.each(SKEWS)('messages of a process whose clock is %s', (_, skewMs) => {
  test('are sent in the order in which they were written', async () => {
    const sending = await startSending({}, skewed(skewMs));
    const to = await sink();
    accepting(to);
    await sending.setUp(bridge(to));
    await sending.startWorker();
    expect(await sentInOneConversation(sending, to, 'sender')).toEqual(TEXTS);
  });

  test('wait for their place for ten seconds, in the queue', async () => {
    const sending = await startSending({}, skewed(skewMs));
    const to = await sink();
    accepting(to);
    await sending.setUp(bridge(to));
    const conversation = await sending.wrote('social_dm', 'sender');
    await sending.reply(conversation, 'social_dm', '1');
    const id = await sending.reply(conversation, 'social_dm', '2');
    const since = await databaseNow(sending);
    const queuedAt = since - SECOND_MS;
    await runJob(sending, id, queuedAt);
    const [job] = await sending.database.rows<{ runAt: Date; payload: object }>(JOB, [id]);
    await expectWait(sending, job?.runAt, { since, waitMs: 250 });
    expect(job?.payload).toMatchObject({ messageId: id, attempt: 1, queuedAt });
    expect(to.requests).toEqual([]);
    await runJob(sending, id, since - 10 * SECOND_MS);
    expect(await sending.message(id)).toMatchObject({ status: 'sent' });
    expect((await sending.fired()).map(({ name }) => name)).toEqual([
      'message.received',
      'message.sent',
    ]);
  });
});
