import * as oauth from 'oauth4webapi';
import { describe, expect, test } from '../support/service.ts';
import {
  allow,
  authorize,
  openClient,
  openOauthServer,
  openProgram,
  post,
  REDIRECT,
  sealedIn,
  signInThere,
} from './oauth.support.ts';

const HOUR_MS = 3_600_000;

describe('metadata', () => {
  test('of the resource names the server, with and without the path of /mcp', async ({
    shared,
  }) => {
    const { url } = await openOauthServer(shared);
    for (const path of ['', '/mcp']) {
      const response = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource: `${url}/mcp`,
        authorization_servers: [url],
        bearer_methods_supported: ['header'],
      });
    }
    const resource = new URL(`${url}/mcp`);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const answered = await oauth.resourceDiscoveryRequest(resource, insecure);
    await oauth.processResourceDiscoveryResponse(resource, answered);
  });

  test('of the server names what clients need', async ({ shared }) => {
    const { call, url } = await openOauthServer(shared);
    const { body } = await call('GET /.well-known/oauth-authorization-server', { key: null });
    expect(body).toMatchObject({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(body.registration_endpoint).toBeUndefined();
  });

  test('is named by a refusal of /mcp', async ({ shared }) => {
    const { call, url } = await openOauthServer(shared);
    const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`;
    const bare = await call('POST /mcp', { key: null, body: {} });
    expect(bare.headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
    const wrong = await call('POST /mcp', { key: 'sk_live_nonsense', body: {} });
    expect(wrong.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${metadata}`);
  });

  test('is missing where the console, and with it the consent page, is off', async ({ shared }) => {
    const { call } = await openOauthServer(shared, { console: false });
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
      '/oauth/authorize',
    ]) {
      expect((await call(`GET ${path}`, { key: null })).status).toBe(404);
    }
    expect((await call('POST /mcp', { key: null })).headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('the authorization endpoint', () => {
  test('asks visitors to sign in first, and fetches nothing for them', async ({ service }) => {
    const program = await openProgram();
    const { url } = await openOauthServer(service);
    const { parameters } = await openClient(url, program);
    const answered = await authorize(url, { cookie: '' }, parameters);
    expect(answered.status).toBe(303);
    expect(answered.location).toBe(
      `/console/authorize?${new URLSearchParams(parameters).toString()}`,
    );
    expect(program.sink.requests).toEqual([]);
  });

  test('shows the user the program, where access is sent, and the scopes', async ({ service }) => {
    const program = await openProgram();
    const { url, there } = await openOauthServer(service);
    const admin = await signInThere(there, 'admin');
    const { parameters, state } = await openClient(url, program);
    const shown = async (redirectUri: string) => {
      const asked = { ...parameters, redirect_uri: redirectUri };
      const { location } = await authorize(url, admin, asked);
      const search = new URLSearchParams({ request: sealedIn(location) }).toString();
      return (await admin.call(`GET /console/api/authorize?${search}`)).body.data;
    };
    const host = new URL(program.clientId).host;
    const local = await shown(REDIRECT);
    expect(local).toMatchObject({
      client: { id: program.clientId, name: 'Harbour Helper', host },
      redirect: { host: '127.0.0.1:33418', isLocal: true, isForeign: false },
      scopes: ['contacts:read', 'contacts:write'],
    });
    const denied = new URL(local.denyUrl);
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      error: 'access_denied',
      state,
      iss: url,
    });
    expect((await shown(`${program.sink.url}/callback`)).redirect.isForeign).toBe(false);
    program.document['redirect_uris'] = ['https://elsewhere.example/callback'];
    service.clock.advance(HOUR_MS / 6);
    expect((await shown('https://elsewhere.example/callback')).redirect).toEqual({
      host: 'elsewhere.example',
      isLocal: false,
      isForeign: true,
    });
  });

  test('tells the program about a state that is too long', async ({ service }) => {
    const program = await openProgram();
    const { url, there } = await openOauthServer(service);
    const viewer = await signInThere(there, 'viewer');
    const { parameters } = await openClient(url, program);
    const longest = new URLSearchParams(parameters);
    longest.set('state', 'é'.repeat(1_000));
    const { location: page } = await authorize(url, viewer, longest);
    expect(page).toContain('/console/');
    const tooLong = new URLSearchParams(parameters);
    tooLong.set('state', 'é'.repeat(1_001));
    const { location } = await authorize(url, viewer, tooLong);
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  });

  test.for([
    ['response_type', '', 'invalid_request'],
    ['response_type', 'token', 'unsupported_response_type'],
    ['response_mode', 'fragment', 'invalid_request'],
    ['code_challenge', '', 'invalid_request'],
    ['code_challenge', 'short', 'invalid_request'],
    ['code_challenge_method', 'plain', 'invalid_request'],
    ['code_challenge_method', '', 'invalid_request'],
    ['resource', 'https://other.example/mcp', 'invalid_target'],
    ['scope', 'contacts:read admin', 'invalid_scope'],
    ['request', 'eyJ', 'request_not_supported'],
    ['request_uri', 'urn:x', 'request_uri_not_supported'],
  ] as const)('tells the program about %s=%s: %s', async ([name, value, error], { service }) => {
    const program = await openProgram();
    const { url, there } = await openOauthServer(service);
    const viewer = await signInThere(there, 'viewer');
    const { parameters, state } = await openClient(url, program);
    const asked = new URLSearchParams(parameters);
    if (value === '') {
      asked.delete(name);
    } else {
      asked.set(name, value);
    }
    const { status, location } = await authorize(url, viewer, asked);
    expect([status, location.split('?')[0]]).toEqual([303, REDIRECT]);
    const { searchParams } = new URL(location);
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')]).toEqual(
      [error, state, url],
    );
  });

  test('leaves it to the user whether to go to a program on the web with an error', async ({
    service,
  }) => {
    const program = await openProgram();
    const away = 'https://away.example/callback?a=1&b=2';
    program.document['redirect_uris'] = [away];
    const { url, there } = await openOauthServer(service);
    const viewer = await signInThere(there, 'viewer');
    const { parameters } = await openClient(url, program, away);
    const asked = new URLSearchParams({ ...parameters, response_type: 'token' });
    const { status, location, text } = await authorize(url, viewer, asked);
    expect([status, location]).toEqual([400, '']);
    expect(text).toContain('unsupported_response_type');
    expect(text).toMatch(
      /<a href="https:\/\/away\.example\/callback\?a=1&amp;b=2&amp;error=[^"]+">Back to/,
    );
  });

  test('tells the program about a parameter that is given twice', async ({ service }) => {
    const program = await openProgram();
    const { url, there } = await openOauthServer(service);
    const admin = await signInThere(there, 'admin');
    const { parameters } = await openClient(url, program);
    const asked = new URLSearchParams(parameters);
    asked.append('scope', 'tasks:read');
    const { location } = await authorize(url, admin, asked);
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  });

  test('lets only admins and owners allow, and only what was asked for', async ({ service }) => {
    const program = await openProgram();
    const { url, there } = await openOauthServer(service);
    const { parameters } = await openClient(url, program);
    for (const role of ['viewer', 'agent'] as const) {
      const browser = await signInThere(there, role);
      const { location } = await authorize(url, browser, parameters);
      expect((await allow(browser, sealedIn(location))).status).toBe(403);
    }
    const admin = await signInThere(there, 'admin');
    const request = sealedIn((await authorize(url, admin, parameters)).location);
    const more = await allow(admin, request, ['contacts:read', 'tasks:read']);
    expect([more.status, more.body.error.details.issues[0].path]).toEqual([400, '/scopes']);
    expect((await allow(admin, request, [])).status).toBe(400);
    const foreign = await admin.call('POST /console/api/v1/authorize', {
      headers: { 'sec-fetch-site': 'cross-site' },
      body: { request, scopes: ['contacts:read'], agentPolicy: {} },
    });
    expect(foreign.body.error.details).toEqual({ reason: 'cross_site' });
    const altered = await allow(admin, `${request.slice(0, -4)}AAAA`);
    expect(altered.body.error.details).toMatchObject({ reason: 'request_expired' });
    service.clock.advance(HOUR_MS - 1_000);
    expect((await allow(admin, request)).body.error.details).toEqual({ reason: 'prove_again' });
    expect(
      await service.database.rows('select 1 from oauth_grants where client_id = $1', [
        program.clientId,
      ]),
    ).toEqual([]);
    const late = await signInThere(there, 'admin');
    service.clock.advance(1_000);
    const expired = await allow(late, request);
    expect(expired.body.error.details).toMatchObject({ reason: 'request_expired' });
  });
});

describe('the token endpoint', () => {
  test('refuses in the words of RFC 6749', async ({ service }) => {
    const { url } = await openOauthServer(service);
    const token = `${url}/oauth/token`;
    const client = { client_id: 'https://client.example/id' };
    const code = { ...client, grant_type: 'authorization_code' };
    const cases: readonly (readonly [Record<string, string>, string])[] = [
      [{}, 'invalid_request'],
      [client, 'invalid_request'],
      [{ ...client, grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_request'],
      [code, 'invalid_request'],
      [{ ...code, code: 'x' }, 'invalid_request'],
      [{ ...code, code: 'x', code_verifier: 'y' }, 'invalid_grant'],
      [{ ...client, grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
      [{ ...code, resource: 'https://other.example' }, 'invalid_target'],
      [{ ...code, client_secret: 'x' }, 'invalid_client'],
    ];
    for (const [form, error] of cases) {
      const { status, body, headers } = await post(token, form);
      expect([status, body.error], JSON.stringify(form)).toEqual([400, error]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const basic = await post(token, code, { authorization: 'Basic eDp5' });
    expect([basic.status, basic.body.error]).toEqual([401, 'invalid_client']);
    const json = await fetch(token, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([json.status, ((await json.json()) as any).error]).toEqual([400, 'invalid_request']);
    const large = await post(token, { ...code, code: 'x'.repeat(20_000) });
    expect([large.status, large.body.error]).toEqual([413, 'invalid_request']);
  });

  test('limits the requests of an address', async ({ service }) => {
    const few = { limit: 2, windowMs: 60_000 };
    const names = ['oauth', 'public_read', 'sign_in'];
    const publicRates = Object.fromEntries(names.map((name) => [name, few]));
    const { url } = await openOauthServer(service, { publicRates });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await post(`${url}/oauth/revoke`, {})).status);
    }
    expect(statuses).toEqual([400, 400, 429]);
    const refused = await post(`${url}/oauth/token`, {});
    expect(refused.body.error).toBe('temporarily_unavailable');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
