import { describe, expect, test, type TestService } from '../support/service.ts';
import {
  authorize,
  openClient,
  openOauthServer,
  openProgram,
  signInThere,
} from './oauth.support.ts';

const MINUTE_MS = 60_000;

describe('a request is refused on a page, without a redirect,', () => {
  const opened = async (service: TestService) => {
    const program = await openProgram();
    const { url, there } = await openOauthServer(service);
    const admin = await signInThere(there, 'admin');
    const { parameters } = await openClient(url, program);
    const open = (change: Record<string, string>) =>
      authorize(url, admin, { ...parameters, ...change });
    return { program, url, admin, parameters, open };
  };

  test.for([
    'https://evil.example/callback',
    'http://127.0.0.1:33418/callback/../evil',
    'http://127.0.0.1:33418/callback?x=1',
    'http://127.0.0.1.evil.example/callback',
    'http://localhost:33418/callback',
    'https://127.0.0.1:33418/callback',
    'http://evil.example@127.0.0.1:33418/callback',
    'http://127.0.0.1:33418@evil.example/callback',
    'http://127.0.0.1:33418/callback#x',
    'javascript:alert(1)',
  ])('for the redirect %s', async (redirect_uri, { service }) => {
    const { open, program } = await opened(service);
    const answered = await open({ redirect_uri });
    expect([answered.status, answered.location]).toEqual([400, '']);
    expect(answered.text).toContain('redirect_uri');
    program.document['redirect_uris'] = ['javascript:alert(1)', 'http://evil.example/'];
    service.clock.advance(10 * MINUTE_MS);
    expect((await open({ redirect_uri: 'javascript:alert(1)' })).status).toBe(400);
    expect((await open({ redirect_uri: 'http://evil.example/' })).status).toBe(400);
  });

  test.for([
    ['no address', 'client'],
    ['without TLS', 'http://127.0.0.1/client.json'],
    ['without a path', 'https://127.0.0.1'],
    ['with a fragment', 'https://127.0.0.1/client.json#x'],
    ['that is not normalized', 'https://127.0.0.1/x/../client.json'],
    ['in a private network', 'https://10.0.0.1/client.json'],
    ['of the cloud', 'https://169.254.169.254/latest/meta-data'],
    ['by a name of this machine', 'https://localhost.localdomain/client.json'],
  ] as const)('for a client_id %s', async ([, client_id], { service }) => {
    const { open } = await opened(service);
    const answered = await open({ client_id });
    expect([answered.status, answered.location]).toEqual([400, '']);
    expect(answered.text).toContain('client_id');
  });

  test.for([
    ['another client_id', { client_id: 'https://evil.example/id' }],
    ['no redirect_uris', { redirect_uris: [] }],
    ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['no code grant', { grant_types: ['client_credentials'] }],
    ['more than 16 KB', { padding: 'x'.repeat(17_000) }],
  ] as const)('for a document with %s', async ([, change], { service }) => {
    const { open, program } = await opened(service);
    Object.assign(program.document, change);
    expect((await open({})).status).toBe(400);
  });

  test('for a document that redirects, fails, or is no JSON', async ({ service }) => {
    const { open, program } = await opened(service);
    const { sink } = program;
    const good = sink.answer;
    for (const [status, headers] of [
      [302, { location: `${sink.url}/elsewhere` }],
      [500, {}],
      [200, { 'content-type': 'text/html' }],
    ] as const) {
      sink.answer = (_request, response) => void response.writeHead(status, headers).end('{}');
      expect((await open({})).status).toBe(400);
    }
    sink.answer = good;
    expect((await open({})).status).toBe(303);
    const asked = sink.requests.length;
    sink.answer = (_request, response) => void response.destroy();
    expect((await open({})).status).toBe(303);
    expect(sink.requests.length).toBe(asked);
    service.clock.advance(10 * MINUTE_MS);
    expect((await open({})).status).toBe(400);
  });
});
