import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, findingsOf } from '../support/looks.ts';
import { startFrontdesk } from '../support/frontdesk.ts';

const PATIENT = { timeout: 60_000 };

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

/** An agent with a key of its own, which asks to delete contacts. */
async function connect(url: string) {
  const { key } = await place.admin(
    `key create --name Assistant --sub-account ${place.subAccountId} --scopes contacts:read,contacts:write`,
  );
  const post = async (path: string, body: object): Promise<any> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'user-agent': 'claude-desktop 1.0',
      },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  return {
    async askToDelete(firstName: string, lastName: string): Promise<string> {
      const contact = await post('/api/v1/contacts', { firstName, lastName });
      const given = { action: 'contacts.delete', arguments: { contactId: contact.data.id } };
      const params = { name: 'run_action', arguments: given };
      const { result } = await post('/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params,
      });
      return result.structuredContent.approvalId;
    },
  };
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('article', { name: `Delete a contact: ${name}` });

const pending = (page: Page, count: number) =>
  page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: count === 0 ? 'Approvals' : `Approvals ${count}`, exact: true });

describe('the page Approvals', () => {
  test('says what approvals are while there are none', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await page.goto(`${url}/console/${place.subAccountId}/approvals`);
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await page.getByText(/An AI agent asks here/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('shows calls as agents make them; one is approved and runs, one is denied', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 404) {
        missing.push(new URL(response.url()).pathname);
      }
    });
    await startFrontdesk(['worker'], place.variables);
    await page.goto(`${url}/console/${place.subAccountId}/approvals`);
    await pending(page, 0).waitFor(PATIENT);
    const { askToDelete } = await connect(url);
    await askToDelete('Ada', 'Lovelace');
    await cardOf(page, 'Ada Lovelace').waitFor(PATIENT);
    await pending(page, 1).waitFor(PATIENT);
    await askToDelete('Grace', 'Hopper');
    await pending(page, 2).waitFor(PATIENT);
    const card = cardOf(page, 'Ada Lovelace');
    await card.getByText(/Asked with the key “Assistant” through claude-desktop 1\.0/).waitFor();
    await card.getByText('Cannot be undone').waitFor();
    const link = card.getByRole('link', { name: 'Ada Lovelace' });
    await link.waitFor(PATIENT);
    const contactId = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
    await card.getByRole('button', { name: 'Approve' }).click();
    await card.waitFor({ ...PATIENT, state: 'detached' });
    await cardOf(page, 'Grace Hopper').getByRole('button', { name: 'Deny' }).click();
    await pending(page, 0).waitFor(PATIENT);
    await page.getByRole('tab', { name: 'Decided' }).click();
    await card.getByText('Done', { exact: true }).waitFor(PATIENT);
    await card.getByText(/owner@harbour\.example/).waitFor();
    await cardOf(page, 'Grace Hopper').getByText('Denied', { exact: true }).waitFor();
    await page.reload();
    await card.waitFor(PATIENT);
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${url}/console/${place.subAccountId}/contacts`);
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor(PATIENT);
    expect(await page.getByRole('row', { name: /Ada Lovelace/ }).count()).toBe(0);
    // The decided call names a contact that is gone: its id is shown.
    expect(new Set(missing)).toEqual(new Set([`/console/api/v1/contacts/${contactId}`]));
    expect(faults.filter((fault) => !/status of 404/.test(fault))).toEqual([]);
  });

  test('is where the mailed link leads, and is used with the keyboard alone', async () => {
    const { page, url } = await openConsole(browser, place);
    const { askToDelete } = await connect(url);
    const approvalId = await askToDelete('Katherine', 'Johnson');
    const link = await mailedLink(approvalId);
    expect(link.pathname).toBe(`/console/${place.subAccountId}/approvals/${approvalId}`);
    await page.goto(url + link.pathname + link.search);
    const deny = cardOf(page, 'Katherine Johnson').getByRole('button', { name: 'Deny' });
    await deny.waitFor(PATIENT);
    await deny.focus();
    await page.keyboard.press('Enter');
    await cardOf(page, 'Katherine Johnson').getByText('Denied', { exact: true }).waitFor(PATIENT);
    await page.goto(`${url}${link.pathname}?token=${'A'.repeat(64)}`);
    await page.getByRole('alert').waitFor(PATIENT);
    expect(await page.getByRole('article').count()).toBe(0);
  });

  test('has no findings and fits', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const { askToDelete } = await connect(url);
    const id = await askToDelete('Radia', 'Perlman');
    for (const path of ['approvals', `approvals/${id}`]) {
      await page.goto(`${url}/console/${place.subAccountId}/${path}`);
      await cardOf(page, 'Radia Perlman').getByRole('link').waitFor(PATIENT);
      expect(await findingsOf(page, path)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied', { exact: true }).first().waitFor(PATIENT);
    expect(faults).toEqual([]);
  });
});

/** Returns the link in the queued mail about an approval. */
async function mailedLink(approvalId: string): Promise<URL> {
  const client = new Client(place.database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    `select payload->>'text' as text from graphile_worker._private_jobs
     where payload->>'text' like $1`,
    [`%${approvalId}%`],
  );
  return new URL(/https?:\/\/\S+/.exec(rows[0]?.text)?.[0] ?? '');
}
