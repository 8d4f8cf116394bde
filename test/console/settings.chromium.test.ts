import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { mailServer } from '../conversations/sending.support.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

let browser: Browser;
let place: Installation;
beforeAll(async () => {
  browser = await openBrowser();
  place = await install();
});
afterAll(async () => {
  await browser.close();
  await place.close();
});

const openSettings = async (installation = place) => {
  const visit = await openConsole(browser, installation);
  await visit.page.getByRole('link', { name: 'Settings' }).click();
  await visit.page.getByRole('tab', { name: 'API keys' }).waitFor();
  return visit;
};

test('a key that is created in the settings works, until it is revoked', async () => {
  const { page, url, faults } = await openSettings();
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Website');
  await form.getByRole('checkbox', { name: 'contacts:read' }).check();
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy your key' });
  const key = await shown.getByRole('textbox', { name: 'API key' }).inputValue();
  const status = async () =>
    (await fetch(`${url}/api/v1/contacts`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Actions for Website' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page
    .getByRole('dialog', { name: 'Revoke Website' })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page
    .getByRole('row', { name: /Website/ })
    .getByText('Revoked')
    .waitFor();
  expect(await status()).toBe(401);
  expect(faults).toEqual([]);
});

test('the scopes and rates of a key are changed, and apply to its next request', async () => {
  const { page, url } = await openSettings();
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByRole('button', { name: /Purpose/ }).click();
  await page.getByRole('option', { name: 'Support bot' }).click();
  const isChosen = (scope: string) => form.getByRole('checkbox', { name: scope }).isChecked();
  expect(await isChosen('conversations:write')).toBe(true);
  expect(await isChosen('campaigns:write')).toBe(false);
  await form.getByText('Send messages and change conversations').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await form.getByRole('textbox', { name: 'Name' }).fill('Nightly sync');
  await form.getByText('tasks:read').click();
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy your key' });
  const key = await shown.getByRole('textbox', { name: 'API key' }).inputValue();
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Actions for Nightly sync' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edited = page.getByRole('dialog', { name: 'Edit Nightly sync' });
  await edited.getByText('contacts:read').click();
  expect(await axeFindings(page)).toEqual([]);
  await edited.getByRole('textbox', { name: 'Read limit' }).fill('often');
  await edited.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be a rate such as 600/1m').first().waitFor();
  await edited.getByRole('textbox', { name: 'Read limit' }).fill('1200/1m');
  await edited.getByRole('button', { name: 'Save' }).click();
  await edited.waitFor({ state: 'detached' });
  // The error of the attempt before is gone.
  expect(await page.getByText('That did not work').count()).toBe(0);
  const me = await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await me.json()) as any;
  expect(data.rates.read).toBe('1200/1m');
  expect(data.scopes.toSorted()).toEqual(['contacts:read', 'tasks:read']);
});

test('a person is invited, gets another role, and is removed', async () => {
  const { page } = await openSettings();
  await page.getByRole('tab', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  const form = page.getByRole('dialog', { name: 'Invite a person to Harbour' });
  await form.getByRole('textbox', { name: 'Email' }).fill('grace@harbour.example');
  await form.getByRole('button', { name: 'Invite' }).click();
  const invited = page.getByRole('dialog', { name: 'Invited' });
  expect(await invited.getByRole('textbox', { name: 'Sign-in link' }).inputValue()).toContain(
    '/console/sign-in#',
  );
  await invited.getByText(/No mail is sent: pass the link on yourself/).waitFor();
  await invited.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /grace@harbour/ });
  await row.getByRole('button', { name: 'Actions for grace@harbour.example' }).click();
  await page.getByRole('menuitemradio', { name: 'Viewer' }).click();
  await row.getByText('Viewer').waitFor();
  await row.getByRole('button', { name: 'Actions for grace@harbour.example' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('cell', { name: 'owner@harbour.example' }).first().waitFor();
  await page.getByRole('searchbox', { name: /Filter by email/ }).fill('nothing@harbour.example');
  await page.getByText('No changes found').waitFor();
});

/** Makes all sign-ins an hour older. */
async function ageSignIns({ database }: Installation): Promise<void> {
  const { Client } = await import('pg');
  const client = new Client(database.url);
  await client.connect();
  await client.query(`update user_sessions set verified_at = now() - interval '1 hour'`);
  await client.end();
}

/** Signs in with a new link in another tab of the browser. */
async function signInAgain(page: Page, installation: Installation): Promise<void> {
  const { link } = await installation.admin('user link --email owner@harbour.example');
  const other = await page.context().newPage();
  await other.goto((await installation.url()) + new URL(link).pathname + new URL(link).hash);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByRole('list', { name: 'Conversations' }).waitFor({ state: 'attached' });
}

test('the dialog that invites a person asks for a recent sign-in when it is submitted', async () => {
  const { page } = await openSettings();
  await page.getByRole('tab', { name: 'Team' }).click();
  await ageSignIns(place);
  await page.getByRole('button', { name: 'Invite' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const form = page.getByRole('dialog', { name: 'Invite a person to Harbour' });
  await form.getByRole('textbox', { name: 'Email' }).fill('heidi@harbour.example');
  expect(await proof.count()).toBe(0);
  await form.getByRole('button', { name: 'Invite' }).click();
  // The user has no passkey, and says that they signed in, but did not.
  await proof.getByRole('button', { name: 'Continue' }).click();
  await proof.getByText(/^There is no new sign-in yet/).waitFor();
  expect(await proof.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  await signInAgain(page, place);
  await proof.getByRole('button', { name: 'Continue' }).click();
  const invited = page.getByRole('dialog', { name: 'Invited' });
  await invited.waitFor();
  expect(await invited.textContent()).toContain('heidi@harbour.example');
});

/** Creates a key an hour after the sign-in; returns the dialog that asks for another one. */
async function createKeyLate(installation: Installation) {
  const { page } = await openSettings(installation);
  await ageSignIns(installation);
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Late');
  await form.getByText('contacts:read').click();
  await form.getByRole('button', { name: 'Create' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.waitFor();
  return { page, proof };
}

test('a change that needs a recent sign-in asks for one, with a link from the server', async () => {
  const { page, proof } = await createKeyLate(place);
  const command = proof.getByRole('textbox', { name: 'Command' });
  expect(await command.inputValue()).toBe(
    'frontdesk admin user link --email owner@harbour.example',
  );
  expect(await proof.getByRole('button', { name: 'Send sign-in link' }).count()).toBe(0);
  expect(await page.getByRole('row', { name: /Late/ }).count()).toBe(0);
  await signInAgain(page, place);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: 'Copy your key' }).waitFor();
});

test('a change that needs a recent sign-in asks for one, with a link by mail', async () => {
  const withMail = await install({
    FRONTDESK_SMTP_URL: 'smtp://127.0.0.1:9',
    FRONTDESK_MAIL_FROM: 'desk@harbour.example',
  });
  try {
    const { page, proof } = await createKeyLate(withMail);
    await proof.getByRole('button', { name: 'Send sign-in link' }).click();
    await proof.getByRole('button', { name: 'Continue' }).waitFor();
    expect(await page.getByRole('row', { name: /Late/ }).count()).toBe(0);
    const { page: other } = await openSettings(withMail);
    await other.getByRole('tab', { name: 'Team' }).click();
    await other.getByRole('button', { name: 'Invite' }).click();
    const form = other.getByRole('dialog', { name: 'Invite a person to Harbour' });
    await form.getByRole('textbox', { name: 'Email' }).fill('ivan@harbour.example');
    await form.getByRole('button', { name: 'Invite' }).click();
    await other.getByText(/Another link is sent to them by mail/).waitFor();
  } finally {
    await withMail.close();
  }
});

test('a channel is connected, its connection tested, and its account corrected', async () => {
  const server = await mailServer();
  const installed = await install({ FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8' });
  onTestFinished(installed.close);
  const { page, faults } = await openSettings(installed);
  await page.getByRole('tab', { name: 'Channels' }).click();
  await page.getByText('No channel is connected').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Connect a channel' }).click();
  await page.getByRole('menuitem', { name: 'Email: Mail server (SMTP)' }).click();
  const form = page.getByRole('dialog', { name: 'Email' });
  await form.getByRole('textbox', { name: 'Sender' }).fill('Harbour <hello@harbour.example>');
  const address = form.getByRole('textbox', { name: 'Server', exact: true });
  await address.fill('10.1.2.3');
  await form.getByRole('button', { name: 'Save' }).click();
  const tested = page.getByRole('dialog', { name: 'Test connection of Email' });
  await tested.getByText(/allows them with FRONTDESK_OUTBOUND_ALLOW/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Email' }).click();
  await address.fill('127.0.0.1');
  await form.getByRole('textbox', { name: 'Port', exact: true }).fill('1');
  await form.getByRole('button', { name: 'Save' }).click();
  await tested.getByText('The connection to the provider failed').waitFor();
  await tested.getByText(/ECONNREFUSED/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Email' }).click();
  await form.getByRole('textbox', { name: 'Port', exact: true }).fill(String(server.port));
  await form.getByRole('button', { name: 'Save' }).click();
  await tested.getByText('The provider accepts the account').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /Email.*Mail server/ }).waitFor();
  expect(server.mails).toEqual([]);
  expect(faults).toEqual([]);
});
