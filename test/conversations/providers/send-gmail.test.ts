import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Sink } from '../../support/https-sink.ts';
import { sink, startSending } from '../sending.support.ts';

const gmail = ({ url }: Sink, more: object = {}) => ({
  gmail: {
    provider: 'gmail',
    user: 'hello@harbour.example',
    from: 'Harbour, Dental <hello@harbour.example>',
    clientId: 'client',
    clientSecret: 'client-secret',
    refreshToken: 'refresh-token',
    apiBaseUrl: url,
    ...more,
  },
});

interface Google {
  readonly token?: (response: ServerResponse, asked: number) => void;
  readonly send?: (request: IncomingMessage, response: ServerResponse, asked: number) => void;
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.statusCode = status;
  response.end(JSON.stringify(body));
};

const grant = (response: ServerResponse, n: number): void =>
  json(response, 200, { access_token: `token-${n}`, expires_in: 3_599, token_type: 'Bearer' });

const take = (_: IncomingMessage, response: ServerResponse, n: number): void =>
  json(response, 200, { id: `gm-${n}`, threadId: 't', labelIds: ['SENT'] });

/** Stands in for Google's token endpoint and for Gmail. */
async function google({ token = grant, send = take }: Google = {}) {
  const to = await sink();
  const asked = { token: 0, send: 0 };
  to.answer = (request, response) =>
    request.url === '/token'
      ? token(response, (asked.token += 1))
      : send(request, response, (asked.send += 1));
  return to;
}

const to = (peer: Sink, path: string) => peer.requests.filter((request) => request.path === path);
const tokensOf = (peer: Sink) => to(peer, '/token');
const sendsOf = (peer: Sink) => to(peer, '/gmail/v1/users/me/messages/send');

async function started(peer: Sink, messages = 1) {
  const sending = await startSending();
  await sending.setUp(gmail(peer));
  const ids: string[] = [];
  for (let n = 0; n < messages; n += 1) {
    ids.push(await sending.write('gmail', 'Grüße', '<p>Grüße</p>'));
  }
  await sending.startWorker();
  return { sending, ids, id: ids[0] ?? '' };
}

describe('a mail by Gmail', () => {
  test('is sent completely, with an access token for the refresh token', async () => {
    const peer = await google();
    const { sending, id } = await started(peer);
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'gm-1' });
    const [asked] = tokensOf(peer);
    expect(Object.fromEntries(new URLSearchParams(String(asked?.body)))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'client',
      client_secret: 'client-secret',
      refresh_token: 'refresh-token',
    });
    const [sent] = sendsOf(peer);
    expect(sent?.headers.authorization).toBe('Bearer token-1');
    const { raw } = JSON.parse(String(sent?.body)) as { raw: string };
    expect(raw).toMatch(/^[\w-]+$/);
    const mail = Buffer.from(raw, 'base64url').toString('utf8');
    expect(mail).toContain('From: "Harbour, Dental" <hello@harbour.example>\r\n');
    expect(mail).toContain('To: ada@example.com\r\n');
    expect(mail).toContain('Subject: Your visit\r\n');
    expect(mail).toContain(`Message-ID: <${id}@harbour.example>\r\n`);
    expect(mail).toContain('text/html');
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.sent']);
  });

  test('shares one token with concurrent mails', async () => {
    const peer = await google();
    const { sending, ids } = await started(peer, 6);
    for (const id of ids) {
      expect(await sending.settled(id)).toMatchObject({ status: 'sent' });
    }
    expect([tokensOf(peer).length, sendsOf(peer).length]).toEqual([1, 6]);
  });

  test('requests another token if Gmail refuses the current one', async () => {
    const peer = await google({
      send: (request, response, n) =>
        request.headers.authorization === 'Bearer token-1'
          ? json(response, 401, { error: { code: 401, message: 'Invalid Credentials' } })
          : take(request, response, n),
    });
    const { sending, id } = await started(peer);
    expect(await sending.settled(id)).toMatchObject({ status: 'sent' });
    expect([tokensOf(peer).length, sendsOf(peer).length]).toEqual([2, 2]);
  });

  test('fails if Gmail refuses the new token, too', async () => {
    const peer = await google({
      send: (_, response) =>
        json(response, 401, { error: { code: 401, message: 'Invalid Credentials' } }),
    });
    const { sending, id } = await started(peer);
    const failed = await sending.settled(id);
    expect(failed).toMatchObject({ status: 'failed', errorCode: '401' });
    expect(failed.errorMessage).toContain('Invalid Credentials');
    expect([tokensOf(peer).length, sendsOf(peer).length]).toEqual([2, 2]);
  });

  test('does not cache a token that expires within a minute', async () => {
    const peer = await google({
      token: (response, n) => json(response, 200, { access_token: `token-${n}`, expires_in: 5 }),
    });
    const { sending, id } = await started(peer);
    await sending.settled(id);
    await sending.settled(await sending.write('gmail'));
    expect(tokensOf(peer)).toHaveLength(2);
  });

  test('fails at once if the account was disconnected', async () => {
    const description = 'Token has been expired or revoked.';
    const peer = await google({
      token: (response) =>
        json(response, 400, { error: 'invalid_grant', error_description: description }),
    });
    const { sending, id } = await started(peer);
    const failed = await sending.settled(id);
    expect(failed).toMatchObject({ status: 'failed', errorCode: 'channel_disconnected' });
    expect(failed.errorMessage).toContain('connect the account again');
    expect([tokensOf(peer).length, sendsOf(peer).length]).toEqual([1, 0]);
    expect((await sending.fired()).map(({ name }) => name)).toEqual(['message.failed']);
  });

  test('fails at once if Google does not know the client', async () => {
    const peer = await google({
      token: (response) => json(response, 401, { error: 'invalid_client' }),
    });
    const { sending, id } = await started(peer);
    expect(await sending.settled(id)).toMatchObject({ errorCode: 'invalid_client' });
    expect(tokensOf(peer)).toHaveLength(1);
  });

  test.each([
    [429, {}],
    [503, {}],
    [403, { errors: [{ reason: 'userRateLimitExceeded' }] }],
  ])('is retried after %i %j', async (status, error) => {
    const peer = await google({
      send: (request, response, n) =>
        n < 3 ? json(response, status, { error }) : take(request, response, n),
    });
    const { sending, id } = await started(peer);
    expect(await sending.settled(id)).toMatchObject({ status: 'sent', externalId: 'gm-3' });
  });

  test.each([
    [400, { message: 'Invalid To header' }, 'Invalid To header'],
    [403, { errors: [null, { reason: 'insufficientPermissions' }] }, 'Gmail returned 403'],
  ])('fails at once after %i %j', async (status, error, message) => {
    const peer = await google({ send: (_, response) => json(response, status, { error }) });
    const { sending, id } = await started(peer);
    const failed = await sending.settled(id);
    expect(failed).toMatchObject({ status: 'failed', errorCode: String(status) });
    expect(failed.errorMessage).toContain(message);
    expect(sendsOf(peer)).toHaveLength(1);
  });

  test('is retried while Google returns no token', async () => {
    const peer = await google({
      token: (response, n) => (n < 3 ? json(response, 200, {}) : grant(response, n)),
    });
    const { sending, id } = await started(peer);
    expect(await sending.settled(id)).toMatchObject({ status: 'sent' });
    expect(tokensOf(peer)).toHaveLength(3);
  });
});
