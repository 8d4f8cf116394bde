import * as oauth from 'oauth4webapi';
import { expect, onTestFinished, vi } from 'vitest';
import { startSink, trustSinks, type Sink } from '../support/https-sink.ts';
import { browserOf, inviteAs, cookieOf, SAME_ORIGIN, type Browser } from '../support/people.ts';
import { openServer } from '../support/server.ts';
import { caller, type Answer, type TestService } from '../support/service.ts';

export const REDIRECT = 'http://127.0.0.1:33418/callback';

/** A program that publishes a metadata document on a host of its own. */
export interface Program {
  readonly clientId: string;
  readonly sink: Sink;
  /** The members of its document; tests change them. */
  readonly document: Record<string, unknown>;
}

export async function openProgram(path = '/client.json'): Promise<Program> {
  trustSinks();
  const sink = await startSink({ https: true });
  onTestFinished(sink.close);
  const clientId = `${sink.url}${path}`;
  const document: Record<string, unknown> = {
    client_id: clientId,
    client_name: 'Harbour Helper',
    redirect_uris: ['http://127.0.0.1/callback', `${sink.url}/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  sink.answer = (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  };
  return { clientId, sink, document };
}

/** A server that may reach programs on this machine, with the people of the test's service. */
export async function openOauthServer(service: TestService, settings = {}) {
  const server = await openServer({
    databaseUrl: service.databaseUrl,
    clock: service.clock,
    network: { outboundAllow: ['127.0.0.0/8'] },
    ...settings,
  });
  onTestFinished(server.stop);
  const call = caller(server.url, service.keys);
  const there = { ...service, ...server, call, clock: service.clock } as TestService;
  return { url: server.url, call, there };
}

type Role = Parameters<typeof inviteAs>[1];

export async function signInThere(
  there: TestService,
  role: Role,
  email?: string,
): Promise<Browser> {
  const invited = await inviteAs(there, role, email);
  const answer = await there.call('POST /console/api/sign-in/link', {
    key: null,
    headers: SAME_ORIGIN,
    body: { token: invited.token },
  });
  return browserOf(there, invited.email, cookieOf(answer));
}

const INSECURE = { [oauth.allowInsecureRequests]: true };

/** The client library, connected to a server, as a program uses it. */
export async function openClient(url: string, program: Program, redirectUri = REDIRECT) {
  const issuer = new URL(url);
  const discovered = await oauth.discoveryRequest(issuer, { ...INSECURE, algorithm: 'oauth2' });
  const as = await oauth.processDiscoveryResponse(issuer, discovered);
  const client: oauth.Client = { client_id: program.clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const none = oauth.None();
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
    scope: 'contacts:read contacts:write',
    state,
  };
  return {
    as,
    client,
    verifier,
    state,
    parameters,
    /** Exchanges the code of a redirect. */
    async redeem(redirectTo: string, resource = `${url}/mcp`) {
      const answered = oauth.validateAuthResponse(as, client, new URL(redirectTo), state);
      const additionalParameters = { resource };
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        none,
        answered,
        redirectUri,
        verifier,
        { ...INSECURE, additionalParameters },
      );
      return oauth.processAuthorizationCodeResponse(as, client, response);
    },
    async refresh(token: string) {
      const response = await oauth.refreshTokenGrantRequest(as, client, none, token, INSECURE);
      return oauth.processRefreshTokenResponse(as, client, response);
    },
    async revoke(token: string) {
      const response = await oauth.revocationRequest(as, client, none, token, INSECURE);
      await oauth.processRevocationResponse(response);
    },
  };
}

/** Opens the authorization endpoint in a browser; returns the status and the address it leads to. */
export async function authorize(
  url: string,
  { cookie }: Pick<Browser, 'cookie'>,
  parameters: Readonly<Record<string, string>> | URLSearchParams,
) {
  const search = new URLSearchParams(parameters).toString();
  const response = await fetch(`${url}/oauth/authorize?${search}`, {
    redirect: 'manual',
    headers: { cookie, accept: 'text/html' },
  });
  const location = response.headers.get('location') ?? '';
  return { status: response.status, location, text: await response.text() };
}

export const sealedIn = (location: string): string =>
  new URL(location, 'http://localhost').searchParams.get('request') ?? '';

const POLICY = { tells: 'allow', destroys: 'ask', mass: 'deny' } as const;

/** Allows what a program asked for, as the consent page does. */
export const allow = (
  browser: Browser,
  request: string,
  scopes: readonly string[] = ['contacts:read', 'contacts:write'],
): Promise<Answer> =>
  browser.call('POST /console/api/v1/authorize', {
    body: { request, scopes, agentPolicy: POLICY },
  });

/** Everything from the request of a program to its tokens. */
export async function connected(service: TestService) {
  const program = await openProgram();
  const { url, call, there } = await openOauthServer(service);
  const admin = await signInThere(there, 'admin');
  const client = await openClient(url, program);
  const { location } = await authorize(url, admin, client.parameters);
  const { body } = await allow(admin, sealedIn(location));
  const redirectTo: string = body.data.redirectTo;
  const tokens = await client.redeem(redirectTo);
  return { program, url, call, there, admin, client, redirectTo, tokens };
}

/** Posts a form to the token endpoint. */
export async function post(url: string, form: Readonly<Record<string, string>>, headers = {}) {
  const body = new URLSearchParams(form);
  const response = await fetch(url, { method: 'POST', body, headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as any,
  };
}

/** Waits until the server was notified that a key ended; returns the code of its refusal. */
export const endOf = (call: Call, key: string): Promise<string> =>
  vi.waitFor(async () => {
    const { status, body } = await call('GET /api/v1/me', { key });
    expect(status).toBe(401);
    return body.error.code;
  });

type Call = ReturnType<typeof caller>;
