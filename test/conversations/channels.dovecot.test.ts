import { describe, expect, test } from 'vitest';
import type { Channel } from '../../src/contacts/channels.ts';
import { testConnection } from '../../src/conversations/channels/test-connection.ts';
import type { Sink } from '../support/https-sink.ts';
import { IMAP_PASSWORD } from '../support/imap-server.ts';
import { imapServer, mailing } from './mailbox/mail.support.ts';
import { answering, bridge, mailServer, sink, smtp, startSending } from './sending.support.ts';

async function tested(channels: object, channel: Channel) {
  const sending = await startSending();
  await sending.setUp(channels);
  return testConnection(sending.openView(sending.subAccountId, new Date()), channel, sending.tools);
}

const LOGIN = { user: 'hello', password: 'right' };
const knowing = {
  authOptional: false,
  allowInsecureAuth: true,
  onAuth: (
    { password }: { readonly password?: string },
    _session: unknown,
    done: (error: Error | null, user?: object) => void,
  ) =>
    password === LOGIN.password
      ? done(null, { user: 'hello' })
      : done(Object.assign(new Error('wrong password'), { responseCode: 535 })),
} as Parameters<typeof mailServer>[0];

describe('the connection test of a mail channel', { timeout: 180_000 }, () => {
  test('logs in to the mail server and opens the mailbox, and sends nothing', async () => {
    const server = await mailServer(knowing);
    const channels = mailing(server.port, await imapServer());
    const found = await tested({ email: { ...channels.email, ...LOGIN } }, 'email');
    expect(found).toEqual([
      { part: 'sending', message: null },
      { part: 'receiving', message: null },
    ]);
    expect(server.mails).toEqual([]);
  });

  test('repeats what the servers say about a wrong password', async () => {
    const server = await mailServer(knowing);
    const channels = mailing(server.port, await imapServer(), { password: `${IMAP_PASSWORD}?` });
    const found = await tested(
      { email: { ...channels.email, ...LOGIN, password: 'old' } },
      'email',
    );
    expect(found).toEqual([
      { part: 'sending', message: expect.stringContaining('535') },
      { part: 'receiving', message: expect.stringMatching(/authentication failed/i) },
    ]);
  });

  test('says that a server is down', async () => {
    const { port, close } = await mailServer();
    await close();
    expect(await tested(smtp(port), 'email')).toEqual([
      { part: 'sending', message: expect.stringContaining('ECONNREFUSED') },
    ]);
  });
});

const PROVIDERS: readonly {
  readonly channel: Channel;
  readonly entry: (to: Sink) => object;
  readonly line: string;
  readonly taken: string;
  readonly refused: string;
}[] = [
  {
    channel: 'sms',
    entry: ({ url }) => ({
      provider: 'twilio',
      accountSid: 'AC0123456789',
      authToken: 'auth-token',
      from: '+4930999999',
      apiBaseUrl: url,
    }),
    line: 'GET /2010-04-01/Accounts/AC0123456789.json',
    taken: '{"sid":"AC0123456789","status":"active"}',
    refused: 'Twilio returned 401',
  },
  {
    channel: 'messenger',
    entry: ({ url }) => ({
      provider: 'meta',
      pageId: '1234567890',
      accessToken: 'access',
      appSecret: 'app',
      verifyToken: 'verify',
      apiBaseUrl: url,
    }),
    line: 'GET /1234567890?fields=id',
    taken: '{"id":"1234567890"}',
    refused: 'Meta returned 401',
  },
  {
    channel: 'gmail',
    entry: ({ url }) => ({
      provider: 'gmail',
      user: 'hello@harbour.example',
      clientId: 'client',
      clientSecret: 'client-secret',
      refreshToken: 'refresh-token',
      apiBaseUrl: url,
    }),
    line: 'POST /token',
    taken: '{"access_token":"token","expires_in":3599}',
    refused: 'Google returned 401 401 for the refresh token',
  },
];

describe.each(PROVIDERS)('the connection test of $channel', ({ channel, entry, line, ...said }) => {
  test('asks the provider for the account, and repeats its refusal', async () => {
    const to = await sink();
    const channels = { [channel]: entry(to) };
    answering(to, [said.taken]);
    expect(await tested(channels, channel)).toEqual([{ part: 'sending', message: null }]);
    const [request] = await to.next(1);
    expect(`${request?.method} ${request?.path}`).toBe(line);
    answering(to, [401]);
    expect(await tested(channels, channel)).toEqual([{ part: 'sending', message: said.refused }]);
  });
});

test('any response of a bridge counts, and an address that is not public does not', async () => {
  const to = await sink();
  answering(to, [405]);
  expect(await tested(bridge(to), 'social_dm')).toEqual([{ part: 'sending', message: null }]);
  const elsewhere = bridge({ ...to, url: 'https://10.0.0.1' });
  expect(await tested(elsewhere, 'social_dm')).toEqual([
    { part: 'sending', message: expect.stringContaining('not public') },
  ]);
});

test('a channel without a provider has no connection', async () => {
  expect(await tested({}, 'sms')).toBeUndefined();
});
