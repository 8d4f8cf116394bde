import { expect, test, vi } from 'vitest';
import { startBreakingServer } from '../../campaigns/delivery/breaking-server.support.ts';
import { WAIT } from '../../support/deliveries.ts';
import { bridge, mailServer, sink, smtp, startSending } from '../sending.support.ts';

test.for([
  ['disconnects', undefined],
  ['replies 354', '354 go on'],
  ['replies 99', '99 ok'],
] as const)(
  'a mail whose server %s after the text fails as outcome_unknown and is never sent again',
  async ([, reply]) => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '10ms,10ms' });
    const server = await startBreakingServer(reply);
    await sending.setUp(smtp(server.port));
    const id = await sending.write('email');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({
      status: 'failed',
      errorCode: 'outcome_unknown',
      externalId: null,
    });
    server.isBreaking = false;
    const other = await sending.write('email');
    expect(await sending.settled(other)).toMatchObject({ status: 'sent' });
    expect(server.taken).toBe(2);
    expect((await sending.fired()).map(({ name }) => name)).toEqual([
      'message.failed',
      'message.sent',
    ]);
  },
);

test.for([
  ['greeting', 'onConnect'],
  ['login', 'onAuth'],
] as const)(
  'a refusal at the %s with %s is temporary, even a 5yz at the greeting',
  async ([, stage]) => {
    const sending = await startSending();
    let refusals = 0;
    const later = (code: number) => {
      refusals += 1;
      return refusals < 3 ? Object.assign(new Error('Later'), { responseCode: code }) : null;
    };
    const server = await mailServer(
      stage === 'onConnect'
        ? { onConnect: (_, done) => done(later(554)) }
        : {
            authOptional: false,
            allowInsecureAuth: true,
            onAuth: ({ username }, _, done) => done(later(454), { user: username }),
          },
    );
    const login = stage === 'onAuth' ? { user: 'harbour', password: 'right' } : {};
    await sending.setUp(smtp(server.port, login));
    const id = await sending.write('email');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'sent' });
    expect(refusals).toBe(3);
    expect(server.mails).toHaveLength(1);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.sent']);
  },
);

test('a bridge that reads every attempt without a response gets all of them, and the message ends as outcome_unknown', async () => {
  const sending = await startSending({ FRONTDESK_SEND_RETRIES: '10ms' });
  const to = await sink();
  to.answer = ({ socket }) => void socket.resetAndDestroy();
  await sending.setUp(bridge(to));
  const conversation = await sending.wrote('social_dm', 'ada-77');
  const id = await sending.reply(conversation, 'social_dm');
  await sending.startWorker();
  expect(await sending.settled(id)).toMatchObject({
    status: 'failed',
    errorCode: 'outcome_unknown',
  });
  const ids = to.requests.map(({ body }) => JSON.parse(body.toString()).messageId);
  expect(ids).toEqual([id, id]);
  const names = (await sending.fired()).map(({ name }) => name);
  expect(names).toEqual(['message.received', 'message.failed']);
});

test('messages under ratePerSecond wait in order, and all are sent', async () => {
  const sending = await startSending();
  const server = await mailServer();
  await sending.setUp(smtp(server.port, { ratePerSecond: 20 }));
  const ids = [];
  for (let n = 0; n < 4; n += 1) {
    ids.push(await sending.write('email'));
  }
  await sending.startWorker();
  for (const id of ids) {
    expect(await sending.settled(id)).toMatchObject({ status: 'sent' });
  }
  await vi.waitFor(() => expect(server.mails).toHaveLength(4), WAIT);
});
