import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { axeFindings } from '../support/looks.ts';
import { startSink, type Sink } from '../support/https-sink.ts';
import { inviteAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { openOauthServer, openProgram, type Program } from './oauth.support.ts';

vi.setConfig({ testTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** What the official client stores, and where it wants the user to go. */
function providerOf({ clientId, document }: Program, redirectUrl: string) {
  const kept: Record<string, any> = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadataUrl: clientId,
    clientMetadata: document as never,
    state: () => 'the state',
    clientInformation: () => kept['client'],
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url) => void (kept['url'] = url.href),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
    discoveryState: () => kept['discovery'],
    saveDiscoveryState: (state) => void (kept['discovery'] = state),
  };
  return { provider, kept };
}

/** A program that waits for the answer on this machine, and the official client in it. */
async function openAgent(service: TestService) {
  const program = await openProgram();
  const { url, call, there } = await openOauthServer(service);
  const callback = await startSink();
  onTestFinished(callback.close);
  const { provider, kept } = providerOf(program, `${callback.url}/callback`);
  const transport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider: provider });
  const client = () => {
    const opened = new Client(
      { name: 'browser agent', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    onTestFinished(() => opened.close());
    return opened;
  };
  const first = transport();
  await expect(client().connect(first)).rejects.toThrow(UnauthorizedError);
  const authorizationUrl: string = kept['url'];
  return { program, url, call, there, callback, kept, first, transport, client, authorizationUrl };
}

interface VisitOptions extends BrowserContextOptions {
  readonly role?: 'owner' | 'admin' | 'viewer';
}

/** Opens the request in a browser that is not signed in, signs in with a link, and is led back. */
async function openConsent(
  { there, url, authorizationUrl }: Awaited<ReturnType<typeof openAgent>>,
  { role = 'admin', ...options }: VisitOptions = {},
) {
  const page = await openPage(browser, { locale: 'en-GB', reducedMotion: 'reduce', ...options });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !/status of (?:401|400)/.test(line.text())) {
      faults.push(line.text());
    }
  });
  await page.goto(authorizationUrl);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { token } = await inviteAs(there, role);
  await page.goto(`${url}/console/sign-in#${token}`);
  await page.locator('main button').first().click();
  await page.waitForURL(/console\/authorize\?request=/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, faults };
}

const answerOf = async (callback: Sink) => {
  const [request] = await callback.next(1);
  return new URL(request?.path ?? '', callback.url).searchParams;
};

describe('the official client', () => {
  test('connects after the user signed in and allowed it, and refreshes its token', async ({
    service,
  }) => {
    const agent = await openAgent(service);
    const { page, faults } = await openConsent(agent);
    const isChosen = (name: string) => page.getByRole('checkbox', { name }).isChecked();
    expect(await isChosen('Create and send campaigns')).toBe(false);
    expect(await isChosen('Manage webhooks')).toBe(false);
    await page.getByText('Change and delete tasks').click();
    await page.getByRole('button', { name: /Deleting and merging/ }).click();
    await page.getByRole('option', { name: 'Never' }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const answered = await answerOf(agent.callback);
    expect(answered.get('state')).toBe('the state');
    await agent.first.finishAuth(answered);
    const client = agent.client();
    await client.connect(agent.transport());
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    const key: string = agent.kept['tokens'].access_token;
    const me = await agent.call('GET /api/v1/me', { key });
    expect(me.body.data.scopes).not.toContain('campaigns:write');
    expect(me.body.data.scopes).not.toContain('tasks:write');
    expect(me.body.data.scopes).toHaveLength(14);
    const [row] = await service.database.rows<{ agent_policy: object }>(
      'select agent_policy from api_keys where id = $1',
      [me.body.data.keyId],
    );
    expect(row?.agent_policy).toEqual({ tells: 'allow', destroys: 'deny', mass: 'ask' });

    service.clock.advance(3_600_000);
    const saved: any = await client.callTool({
      name: 'save_contact',
      arguments: { firstName: 'Ada', lastName: 'Byron' },
    });
    expect(saved.isError).not.toBe(true);
    expect(agent.kept['tokens'].access_token).not.toBe(key);
    expect(await service.eventNames()).toEqual(['contact.created']);
    expect(faults).toEqual([]);
  });

  test('is told when the user denies it', async ({ service }) => {
    const agent = await openAgent(service);
    const { page } = await openConsent(agent);
    await page.getByRole('button', { name: 'Deny' }).click();
    const answered = await answerOf(agent.callback);
    expect([answered.get('error'), answered.get('state')]).toEqual(['access_denied', 'the state']);
    await expect(agent.first.finishAuth(answered)).rejects.toThrow();
    expect(
      await service.database.rows('select 1 from oauth_grants where client_id = $1', [
        agent.program.clientId,
      ]),
    ).toEqual([]);
  });

  test('is not allowed by a viewer, who gets a way back', async ({ service }) => {
    const agent = await openAgent(service);
    const { page } = await openConsent(agent, { role: 'viewer' });
    await page.getByText('You cannot allow this').waitFor();
    expect(await page.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back to the program' }).click();
    expect((await answerOf(agent.callback)).get('error')).toBe('access_denied');
  });
});

describe('the consent page', () => {
  const LOOKS = [
    { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1_280, height: 900 } },
    { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    { locale: 'fr-FR', colorScheme: 'light', viewport: { width: 360, height: 740 } },
    { locale: 'es-ES', colorScheme: 'dark', viewport: { width: 640, height: 360 } },
  ] as const;
  const TITLES = [
    'Allow Harbour Helper to use Frontdesk?',
    'Darf Harbour Helper Frontdesk nutzen?',
    'Autoriser Harbour Helper à utiliser Frontdesk ?',
    '¿Permitir que Harbour Helper use Frontdesk?',
  ];

  test.for(LOOKS.map((look, at) => ({ look, title: TITLES[at] ?? '' })))(
    'fits and is accessible: $title',
    async ({ look, title }, { service }) => {
      const agent = await openAgent(service);
      const { page, faults } = await openConsent(agent, look);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(17);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      await picture(page, `authorize-${look.locale}-${look.colorScheme}`);
      expect(faults).toEqual([]);
    },
  );

  test('cannot be framed, and says when there is nothing to allow', async ({ service }) => {
    const { url, there } = await openOauthServer(service);
    const response = await fetch(`${url}/console/authorize?request=x`);
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const page = await openPage(browser, { locale: 'en-GB' });
    const { token } = await inviteAs(there, 'admin');
    await page.goto(`${url}/console/sign-in#${token}`);
    await page.locator('main button').first().click();
    await page.waitForURL(/inbox/);
    await page.goto(`${url}/console/authorize`);
    await page.getByText('There is nothing to allow').waitFor();
    await page.goto(`${url}/console/authorize?request=altered`);
    await page.getByText('This request has expired').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});

/** How many pixels the page is wider than its window. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Keeps a picture where PICTURES names a folder, for a person to look at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder !== undefined) {
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }
}
