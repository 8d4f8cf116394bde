import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { callFrom, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, findingsOf, picture } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };

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

const tabOf = (url: string, tab: string) =>
  `${url}/console/${place.subAccountId}/settings?tab=${tab}`;

/** Books the next free time with the session of the page. */
async function bookOne(page: Page) {
  const call = (path: string, body?: object) =>
    callFrom(page, place, [body ? 'POST' : 'GET', path], body);
  const [{ id }] = await call('/calendars/types');
  const day = (ahead: number) =>
    new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const query = `appointmentTypeId=${id}&date=${day(2)}&endDate=${day(9)}`;
  const [{ startTime, endTime }] = await call(`/calendars/availability?${query}`);
  const contact = await call('/contacts', { firstName: 'Ada', lastName: 'Lovelace' });
  const time = { startTime, endTime, contactId: contact.id };
  return call('/calendars/appointments', { appointmentTypeId: id, ...time });
}

const exported = () => place.admin(`export --sub-account ${place.subAccountId}`);

describe('the settings as forms', () => {
  test('change the chat, a calendar and the price list, and nothing else', async () => {
    const before = await exported();
    const { page, url, faults } = await openConsole(browser, place);
    await page.goto(tabOf(url, 'chat'));
    await page.getByLabel('Title').fill('Ask us');
    await page.getByText('Require an email address').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor(PATIENCE);
    // The tag for the web site names this server and this sub-account.
    expect(await page.getByLabel('Line of HTML').inputValue()).toBe(
      `<script src="${url}/chat/widget.js" data-sub-account="${place.subAccountId}" async></script>`,
    );

    await page.goto(tabOf(url, 'calendars'));
    await page.getByRole('button', { name: 'Edit Check-ups' }).click();
    const calendar = page.getByRole('dialog', { name: 'Check-ups' });
    await calendar.getByLabel('Hours on Monday').fill('9-12');
    await calendar.getByRole('button', { name: 'Save' }).click();
    await calendar.getByText(/must be opening hours/).waitFor(PATIENCE);
    await calendar.getByLabel('Hours on Monday').fill('09:00-12:00, 13:00-18:00');
    await calendar.getByLabel('Buffer after, in minutes').fill('10');
    await page.keyboard.press('Enter');
    await calendar.waitFor({ state: 'detached', ...PATIENCE });

    await page.goto(tabOf(url, 'prices'));
    await page.getByRole('button', { name: 'New service' }).click();
    const service = page.getByRole('dialog', { name: 'New service' });
    await service.getByLabel('Name').fill('Deep cleaning');
    await service.getByLabel('Price', { exact: true }).fill('89');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Deep cleaning.*89/ }).waitFor(PATIENCE);
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);

    const after = await exported();
    expect(after.chat).toMatchObject({ ...before.chat, title: 'Ask us', requireEmail: true });
    const [checkups] = before.calendars;
    expect(after.calendars).toEqual([
      {
        ...checkups,
        hours: { ...checkups.hours, mon: ['09:00-12:00', '13:00-18:00'] },
        buffers: { before: 0, after: 10 },
      },
    ]);
    expect(after.serviceTypes).toMatchObject([
      { key: 'deep-cleaning', name: 'Deep cleaning', price: 89, currency: 'EUR', onSale: true },
    ]);
    expect([after.team, after.pipelines]).toEqual([before.team, before.pipelines]);
  });

  test('remove an entry after asking, and nothing else', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-forms-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'channels.yaml');
    const email = { provider: 'smtp', from: 'desk@harbour.example', host: '127.0.0.1', port: 25 };
    writeFileSync(file, JSON.stringify({ channels: { email } }));
    const before = await exported();
    await place.admin(`apply -f ${file} --sub-account ${place.subAccountId} --yes`);
    await page.goto(tabOf(url, 'channels'));
    const remove = page.getByRole('button', { name: 'Remove Email' });
    await remove.click(PATIENCE);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await exported()).channels).toMatchObject({ email });
    await remove.click();
    const asked = page.getByRole('dialog', { name: 'Remove Email' });
    expect(await axeFindings(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No channel is connected').waitFor(PATIENCE);
    expect(await exported()).toEqual(before);

    expect(await bookOne(page)).toMatchObject({ status: 'scheduled' });
    await page.goto(tabOf(url, 'calendars'));
    await page.getByRole('button', { name: 'Remove Check-ups' }).click(PATIENCE);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page
      .getByText(/upcoming appointment/)
      .first()
      .waitFor(PATIENCE);
    expect(await exported()).toEqual(before);
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  test('keep what another person saved meanwhile', async () => {
    const one = await openConsole(browser, place);
    const other = await openConsole(browser, place);
    const prices = (await exported()).serviceTypes ?? [];
    await one.page.goto(tabOf(one.url, 'prices'));
    for (const [name, price] of [
      ['Polishing', '20'],
      ['Whitening', '200'],
    ]) {
      await one.page.getByRole('button', { name: 'New service' }).click();
      await one.page.getByLabel('Name').fill(name ?? '');
      await one.page.getByLabel('Price', { exact: true }).fill(price ?? '');
      await one.page.keyboard.press('Enter');
      await one.page.getByRole('row', { name: new RegExp(`${name}.*${price}`) }).waitFor(PATIENCE);
    }

    // Both read the list now. One changes Polishing; the other then changes Whitening.
    const edit = async ({ page }: typeof one, name: string, fields: Record<string, string>) => {
      await page.getByRole('button', { name: `Edit ${name}` }).click();
      const dialog = page.getByRole('dialog');
      for (const [label, value] of Object.entries(fields)) {
        await dialog.getByLabel(label, { exact: true }).fill(value);
      }
      await page.keyboard.press('Enter');
      return dialog;
    };
    const gone = { state: 'detached', ...PATIENCE } as const;
    await other.page.goto(tabOf(other.url, 'prices'));
    await other.page.getByRole('row', { name: /Whitening/ }).waitFor(PATIENCE);
    await (await edit(one, 'Polishing', { Price: '25' })).waitFor(gone);
    await (await edit(other, 'Whitening', { Price: '210' })).waitFor(gone);
    const listed = async () =>
      (await exported()).serviceTypes.map(({ name, price }: any) => `${name} ${price}`);
    const before = prices.map(({ name, price }: any) => `${name} ${price}`);
    expect(await listed()).toEqual([...before, 'Polishing 25', 'Whitening 210']);

    // The same entry: nothing is saved, the typed name stays, and the new price shows.
    const dialog = await edit(one, 'Whitening', { Name: 'Bleaching' });
    await dialog
      .getByRole('alert')
      .getByText(/^Changed meanwhile by owner@/)
      .waitFor(PATIENCE);
    await dialog
      .getByRole('alert')
      .getByText(/^Changed: Price\. Nothing is saved/)
      .waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Bleaching');
    expect(await dialog.getByLabel('Price', { exact: true }).inputValue()).toBe('210');
    expect(await axeFindings(one.page)).toEqual([]);
    await picture(one.page, 'conflict');
    expect(await listed()).toEqual([...before, 'Polishing 25', 'Whitening 210']);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor(gone);
    expect(await listed()).toEqual([...before, 'Polishing 25', 'Bleaching 210']);

    // The chat, which is a single entry.
    await one.page.goto(tabOf(one.url, 'chat'));
    await one.page.getByLabel('Title').fill('Write to us');
    await other.page.goto(tabOf(other.url, 'chat'));
    await other.page.getByLabel('Welcome message').fill('Good morning');
    await other.page.getByRole('button', { name: 'Save' }).click();
    await other.page.getByText('Saved', { exact: true }).waitFor(PATIENCE);
    await one.page.getByRole('button', { name: 'Save' }).click();
    await one.page
      .getByRole('alert')
      .getByText(/^Changed: Welcome message/)
      .waitFor(PATIENCE);
    await one.page.getByRole('button', { name: 'Save' }).click();
    await one.page.getByText('Saved', { exact: true }).waitFor(PATIENCE);
    await one.page.getByText(/^Changed: Welcome message/).waitFor(gone);
    expect((await exported()).chat).toMatchObject({
      title: 'Write to us',
      welcomeMessage: 'Good morning',
    });
    const own = [...one.faults, ...other.faults].filter((fault) => !fault.includes('of 409'));
    expect(own).toEqual([]);
  });

  test('have no findings and fit', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    for (const tab of ['chat', 'calendars', 'forms', 'prices']) {
      await page.goto(tabOf(url, tab));
      const shown = tab === 'chat' ? page.getByLabel('Title') : page.getByRole('table').first();
      await shown.waitFor(PATIENCE);
      expect(await findingsOf(page, `settings-${tab}`)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
});
