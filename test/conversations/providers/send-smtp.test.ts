import { findSuppressions } from '../../../src/contacts/consent/suppressions.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { trustSinks } from '../../support/https-sink.ts';
import { mailServer, smtp, startSending, type Sending } from '../sending.support.ts';

/** A negative reply of a mail server. */
const no = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

const suppressed = ({ openView, subAccountId }: Sending) =>
  findSuppressions(openView(subAccountId, new Date()), { channel: 'email' });

describe('a message by smtp', () => {
  test('is mailed once, from the channel, with a Message-ID of its own', async () => {
    const sending = await startSending();
    const server = await mailServer();
    await sending.setUp(smtp(server.port));
    const id = await sending.write('email', 'See you, Ada', '<p>See you</p>');
    await sending.startWorker();

    const externalId = `<${id}@harbour.example>`;
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId });
    const [mail] = await server.next(1);
    expect(mail).toMatchObject({
      from: 'hello@harbour.example',
      to: ['ada@example.com'],
      subject: 'Your visit',
      headers: {
        from: '"Harbour, Dental" <hello@harbour.example>',
        to: 'ada@example.com',
        'message-id': externalId,
      },
    });
    expect(mail?.raw).toContain('See you, Ada');
    expect(mail?.raw).toContain('<p>See you</p>');
    expect(server.mails).toHaveLength(1);
    expect(await sending.fired()).toEqual([
      {
        name: 'message.sent',
        data: expect.objectContaining({ messageId: id, status: 'sent', externalId }),
      },
    ]);
  });

  test('is retried after a 4yz with the same Message-ID, and then sent', async () => {
    const sending = await startSending();
    const tries: string[] = [];
    const server = await mailServer({
      onRcptTo({ address }, _, done) {
        tries.push(address);
        done(tries.length < 3 ? no(451, '4.3.0 Come back later') : null);
      },
    });
    await sending.setUp(smtp(server.port));
    const id = await sending.write('email');
    await sending.startWorker();
    const externalId = `<${id}@harbour.example>`;
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId });
    expect(tries).toHaveLength(3);
    expect(server.mails.map(({ headers }) => headers['message-id'])).toEqual([externalId]);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.sent']);
  });

  test('fails after the last wait with the code of the server', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '10ms' });
    const server = await mailServer({ onRcptTo: (_, __, done) => done(no(452, '4.2.2 Full')) });
    await sending.setUp(smtp(server.port));
    const id = await sending.write('email');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'failed', errorCode: '452' });
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
    expect(await suppressed(sending)).toEqual([]);
  });

  test('fails if no server listens', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '10ms' });
    await sending.setUp(smtp(1));
    const id = await sending.write('email');
    await sending.startWorker();
    const { status, errorCode } = await sending.settled(id);
    expect(status).toBe('failed');
    expect(errorCode).toMatch(/^E[A-Z]+$/);
  });

  test('counts one attempt if the server disconnects in the middle', async () => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '10ms' });
    const tries: string[] = [];
    const server = await mailServer({
      onRcptTo({ address }, _, done) {
        tries.push(address);
        done(Object.assign(new Error('4.3.2 Closing'), { responseCode: 421 }));
      },
    });
    await sending.setUp(smtp(server.port));
    const id = await sending.write('email');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'failed' });
    expect(tries).toHaveLength(2);
  });

  test('to a dead address fails at once and suppresses the address', async () => {
    const sending = await startSending();
    const tries: string[] = [];
    const server = await mailServer({
      onRcptTo({ address }, _, done) {
        tries.push(address);
        done(no(550, '5.1.1 No such user here'));
      },
    });
    await sending.setUp(smtp(server.port));
    const id = await sending.write('email');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'failed', errorCode: '550' });
    expect(tries).toHaveLength(1);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
    expect(await suppressed(sending)).toMatchObject([
      { address: 'ada@example.com', reason: 'bounce' },
    ]);
  });

  test('that is refused for another reason fails at once and suppresses nothing', async () => {
    const sending = await startSending();
    const server = await mailServer({ onRcptTo: (_, __, done) => done(no(554, '5.7.1 Spam')) });
    await sending.setUp(smtp(server.port));
    const id = await sending.write('email');
    await sending.startWorker();
    const { errorCode, errorMessage } = await sending.settled(id);
    expect(errorCode).toBe('554');
    expect(errorMessage).toContain('5.7.1 Spam');
    expect(await suppressed(sending)).toEqual([]);
  });

  test('logs in, and uses a new password for the next message', async () => {
    const sending = await startSending();
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _, done) {
        const isRight = username === 'harbour' && password === 'right';
        done(isRight ? null : no(535, '5.7.8 Wrong password'), { user: username });
      },
    });
    await sending.startWorker();
    await sending.setUp(smtp(server.port, { user: 'harbour', password: 'wrong' }));
    const refused = await sending.settled(await sending.write('email'));
    expect(refused).toMatchObject({ status: 'failed', errorCode: '535' });
    await sending.setUp(smtp(server.port, { user: 'harbour', password: 'right' }));
    const sent = await sending.settled(await sending.write('email'));
    expect(sent).toMatchObject({ status: 'sent' });
  });

  test('checks the certificate for the name, although it connects to an address', async () => {
    trustSinks();
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '10ms' });
    const named: string[] = [];
    const server = await mailServer({
      secure: true,
      key: readFileSync('test/support/tls/server.key'),
      cert: readFileSync('test/support/tls/server.pem'),
      SNICallback(name, done) {
        named.push(name);
        done(null);
      },
    });
    await sending.setUp(smtp(server.port, { host: 'localhost', secure: true }));
    const id = await sending.write('email');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({ status: 'sent' });
    expect(named).toEqual(['localhost']);
  });

  test('never reaches a private address that the operator does not allow', async () => {
    const sending = await startSending({ FRONTDESK_OUTBOUND_ALLOW: '10.9.0.0/16' });
    let connections = 0;
    const server = await mailServer({
      onConnect(_, done) {
        connections += 1;
        done();
      },
    });
    await sending.setUp(smtp(server.port, { host: 'localhost' }));
    const id = await sending.write('email');
    await sending.startWorker();
    expect(await sending.settled(id)).toMatchObject({
      status: 'failed',
      errorCode: 'private_address',
    });
    expect(connections).toBe(0);
  });

  test('is refused if the sub-account has no channel for it', async () => {
    const sending = await startSending();
    await expect(sending.write('email')).rejects.toMatchObject({
      details: { reason: 'channel_not_configured' },
    });
  });
});
