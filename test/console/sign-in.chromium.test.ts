import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { axeFindings, findingsOf, overflowOf, picture } from '../support/looks.ts';
import { openIdProvider } from '../support/open-id-provider.ts';
import { inviteAs } from '../support/people.ts';
import { openServer } from '../support/server.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

vi.setConfig({ testTimeout: 120_000 });

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Passkeys belong to a name, not to an address: this server is called localhost. */
async function openHere({ databaseUrl, clock }: TestService, settings = {}) {
  let url = '';
  const network = settings;
  const server = await openServer({ databaseUrl, clock, network, baseUrl: () => url });
  onTestFinished(server.stop);
  url = server.url.replace('127.0.0.1', 'localhost');
  return url;
}

/** Opens a page, and collects errors of scripts and violations of the policy. */
async function visit(options: BrowserContextOptions = {}) {
  const page = await openPage(browser, { locale: 'en-GB', reducedMotion: 'reduce', ...options });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !/status of 401|ERR_INTERNET_DISCONNECTED/.test(line.text())) {
      faults.push(line.text());
    }
  });
  return { page, faults };
}

async function signIn(service: TestService, page: Page, url: string) {
  const { token, email } = await inviteAs(service, 'admin');
  await page.goto(`${url}/console/sign-in#${token}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('list', { name: 'Conversations' }).waitFor({ state: 'attached' });
  return email;
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

describe('the sign-in page', () => {
  test('leads to the OpenID provider, and back to the page that was wanted', async ({
    service,
  }) => {
    const provider = await openIdProvider();
    onTestFinished(provider.stop);
    const url = await openHere(service, provider.variables);
    provider.register(url);
    const { email } = await inviteAs(service, 'admin');
    provider.claims['email'] = email;
    const { page, faults } = await visit();
    await page.goto(`${url}/console/${service.subAccountId}/tasks`);
    await page.getByRole('button', { name: 'Sign in with OpenID Connect' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('says what to ask an operator for where no mail is set up', async ({ service }) => {
    const url = await openHere(service);
    const { page, faults } = await visit();
    await page.goto(`${url}/console/sign-in`);
    await page.getByText('This installation sends no mail.').waitFor();
    expect(await page.getByRole('button', { name: /OpenID/ }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
    await page.getByRole('button', { name: 'Send sign-in link' }).click();
    await page.getByText('frontdesk admin user link --email ada@example.com').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, 'sign-in-no-mail');
    expect(faults).toEqual([]);
  });
});

/** Gives the page a device that creates passkeys without asking. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const ageSignIn = ({ database }: TestService, email: string) =>
  database.rows(
    `update user_sessions set verified_at = now() - interval '1 hour'
     where user_id = (select id from users where email = $1)`,
    [email],
  );

test('a passkey is offered after the sign-in, and asks for a recent one later', async ({
  service,
}) => {
  const url = await openHere(service);
  const { page, faults } = await visit();
  await addAuthenticator(page);
  const email = await signIn(service, page, url);
  const offer = page.getByRole('region', { name: 'Make sure that you can sign in again' });
  await offer.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'passkey-offer');
  await offer.getByRole('button', { name: 'Not now' }).click();
  await offer.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('list', { name: 'Conversations' }).waitFor({ state: 'attached' });
  expect(await offer.count()).toBe(0);

  // Too late: the menu asks for a sign-in, in words that fit a user without mail and passkeys.
  await ageSignIn(service, email);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Add a passkey' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('button', { name: 'Continue' }).click();
  await proof.getByText(/^There is no new sign-in yet/).waitFor();
  expect(await proof.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'confirm');
  await service.database.rows('update user_sessions set verified_at = now()');
  await proof.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Passkey added').waitFor();
  expect(faults.filter((fault) => !/status of 403/.test(fault))).toEqual([]);
});

test('the dialog Passkeys lists and deletes the passkeys of the user', async ({ service }) => {
  const url = await openHere(service);
  const { page, faults } = await visit();
  await addAuthenticator(page);
  const email = await signIn(service, page, url);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Passkeys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Passkeys' });
  await dialog.getByText('You have no passkeys.').waitFor();
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  const remove = dialog.getByRole('button', { name: /^Delete / });
  await remove.waitFor();
  await dialog.getByText('Not used yet').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'passkeys');
  await ageSignIn(service, email);
  await remove.click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByText('You have no passkeys.').waitFor();
  const left = await service.database.rows(
    'select 1 from passkeys p join users u on u.id = p.user_id where u.email = $1',
    [email],
  );
  expect(left).toEqual([]);
  expect(faults.filter((fault) => !/status of 403/.test(fault))).toEqual([]);
});

/** Opens the sign-in page, every tab of the settings and a dialog, and calls `look` at each. */
async function tour(service: TestService, page: Page, look: (what: string) => Promise<void>) {
  const url = await openHere(service);
  await page.goto(`${url}/console/sign-in`);
  await page.getByText('This installation sends no mail.').waitFor();
  await look('sign-in');
  await signIn(service, page, url);
  await page.goto(`${url}/console/${service.subAccountId}/settings`);
  await page.getByRole('tab').first().waitFor();
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await page.getByRole('tabpanel').waitFor();
    await look(`settings, ${await tab.innerText()}`);
  }
  await page.getByRole('tab', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog', { name: 'New API key' }).waitFor();
}

describe('sign-in and settings', () => {
  test('fit, are accessible and break no policy', async ({ service }) => {
    const { page, faults } = await visit();
    const found: string[] = [];
    await tour(service, page, async (what) => {
      found.push(...(await findingsOf(page, what)));
    });
    // The page behind the dialog is hidden from assistive technology, with its heading.
    expect(await overflowOf(page)).toBe(0);
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('fit and are accessible on an iPhone', async ({ service }) => {
    const { page, faults } = await visit({
      viewport: { width: 390, height: 660 },
      userAgent: IPHONE,
      hasTouch: true,
      isMobile: true,
    });
    const found: string[] = [];
    await tour(service, page, async (what) => {
      const over = await overflowOf(page);
      found.push(...(over === 0 ? [] : [`${what}: scrolls sideways by ${over} px`]));
      found.push(...(await axeFindings(page)).map((finding) => `${what}: ${finding}`));
      await picture(page, `${what}-iphone`);
    });
    expect(await overflowOf(page)).toBe(0);
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  });
});

test('offline, a banner shows; afterwards it leaves and what changed appears', async ({
  service,
}) => {
  const url = await openHere(service);
  const { page, faults } = await visit();
  await signIn(service, page, url);
  await page.goto(`${url}/console/${service.subAccountId}/contacts`);
  await page.getByRole('table', { name: 'Contacts' }).waitFor({ state: 'attached' });
  const banner = page.getByText('Offline.');
  expect(await banner.count()).toBe(0);
  await page.context().setOffline(true);
  await banner.waitFor();
  await picture(page, 'offline');
  expect(await axeFindings(page)).toEqual([]);
  const body = { firstName: 'Ada', lastName: 'Lovelace' };
  expect((await service.call('POST /api/v1/contacts', { body })).status).toBe(201);
  await page.context().setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor();
  expect(faults).toEqual([]);
});
