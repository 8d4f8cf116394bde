import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { trustSinks } from '../../support/https-sink.ts';
import { IMAP_PASSWORD, IMAP_USER } from '../../support/imap-server.ts';
import { accountOf, openImap } from '../../../src/conversations/mailbox/open-imap.ts';
import { waitAfter } from '../../../src/conversations/mailbox/mailbox-supervisor.ts';
import { imapServer } from './mail.support.ts';

const TLS = join(import.meta.dirname, '../../support/tls');
const IDENTITY = { cert: join(TLS, 'server.pem'), key: join(TLS, 'server.key') };
const ACCOUNT = { user: IMAP_USER, password: IMAP_PASSWORD, mailbox: 'INBOX' };
const ALLOWED = ['127.0.0.0/8', '::1/128'];

const opening = (allow = ALLOWED, signal = new AbortController().signal) => ({
  allow,
  attempt: 1,
  signal,
});

beforeAll(trustSinks);

describe('an IMAP server', { timeout: 180_000 }, () => {
  test('is reached over TLS, from the first byte or by STARTTLS', async () => {
    const { port, tlsPort } = await imapServer({ identity: IDENTITY });
    for (const way of [
      { host: '127.0.0.1', port: tlsPort, secure: true },
      { host: '127.0.0.1', port, secure: false },
    ]) {
      const client = await openImap({ ...ACCOUNT, ...way }, opening());
      expect(client.secureConnection).toBe(true);
      client.close();
    }
  });

  test('in a private network is not connected to unless the operator allows it', async () => {
    const account = { ...ACCOUNT, host: '127.0.0.1', port: 143, secure: false };
    await expect(openImap(account, opening([]))).rejects.toThrow('not public');
  });

  test('in the operator’s own network may lack TLS', async () => {
    const { port } = await imapServer();
    const client = await openImap(
      { ...ACCOUNT, host: '127.0.0.1', port, secure: false },
      opening(),
    );
    expect([client.secureConnection, client.usable]).toEqual([false, true]);
    client.close();
  });

  test('is disconnected at once by an abort, even while connecting', async () => {
    const { port } = await imapServer();
    const account = { ...ACCOUNT, host: '127.0.0.1', port, secure: false };
    const stopping = new AbortController();
    const connecting = openImap(account, opening(ALLOWED, stopping.signal));
    stopping.abort();
    await expect(connecting).rejects.toBeInstanceOf(Error);
  });

  test('is tried again after minutes if it refuses the password, after seconds if it is down', async () => {
    const { port } = await imapServer();
    const account = { ...ACCOUNT, password: 'wrong', host: '127.0.0.1', port, secure: false };
    const refusal = await openImap(account, opening()).catch((error: unknown) => error);
    expect(waitAfter(refusal as Error, 1)).toBe(300_000);
    expect([1, 2, 3, 99].map((attempt) => waitAfter(new Error('away'), attempt))).toEqual([
      1_000, 2_000, 4_000, 120_000,
    ]);
  });
});

describe('an account', () => {
  const account = (imap: object | null, more: object = {}, secrets: object = {}) =>
    accountOf({ settings: { user: 'u', ...more, imap }, secrets } as never);

  test('defaults to TLS at port 993 and the user of SMTP', () => {
    expect(account({ host: 'h' }, {}, { password: 'p' })).toEqual({
      host: 'h',
      port: 993,
      secure: true,
      user: 'u',
      password: 'p',
      mailbox: 'INBOX',
    });
    expect(account({ host: 'h', port: 143 })).toMatchObject({ port: 143, secure: false });
    expect(account({ host: 'h', secure: false })).toMatchObject({ port: 143, secure: false });
    expect(
      account({ host: 'h', user: 'v' }, {}, { password: 'p', imapPassword: 'q' }),
    ).toMatchObject({
      user: 'v',
      password: 'q',
    });
  });

  test('is undefined without a mailbox or a user', () => {
    expect([account(null), account({ host: 'h' }, { user: null })]).toEqual([undefined, undefined]);
  });
});
