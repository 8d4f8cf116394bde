import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../sdk/src/main.ts';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';
import { PNG } from '../files/files.support.ts';

const PATIENCE = { timeout: 60_000 };
const LOOKS = [
  { colorScheme: 'light' },
  { colorScheme: 'dark', viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true },
] as const;

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

const FORM = {
  key: 'x-ray',
  name: 'Send an X-ray',
  fields: [
    { name: 'email', label: 'Your email', type: 'email', required: true, mapsTo: 'email' },
    { name: 'pain', label: 'Pain', type: 'checkbox' },
    { name: 'photo', label: 'Photo', type: 'file', accept: ['images'] },
  ],
};

/** Adds a form, and submits it with a file as a visitor does. */
async function submit(url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-timeline-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'form.json');
  await writeFile(file, JSON.stringify({ forms: [FORM] }));
  const { ids } = await place.admin(`apply -f ${file} --sub-account ${place.subAccountId}`);
  const formId = ids.forms['x-ray'];
  const upload = await fetch(`${url}/api/forms/files?formId=${formId}&field=photo&name=tooth.png`, {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: PNG,
  });
  const { data } = (await upload.json()) as any;
  const fields = { email: 'ada@example.com', pain: true, photo: data.token };
  const sent = await fetch(`${url}/api/forms/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ formId, fields }),
  });
  expect(sent.status).toBe(201);
}

test.for(LOOKS)(
  'the timeline shows every kind of record, and the answers and files of a form ($colorScheme)',
  async (look) => {
    const { page, url, faults } = await openConsole(browser, place, look);
    await submit(url);
    const { key } = await place.admin(
      `key create --sub-account ${place.subAccountId} --name test --scopes all`,
    );
    const client = createClient({ baseUrl: url, apiKey: key });
    const [{ id: contactId } = { id: '' }] = (
      await client.contacts.list({ email: 'ada@example.com' })
    ).data;
    await client.tasks.create({ title: 'Look at the X-ray', contactId });
    const [type] = await client.calendars.types();
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const free = { appointmentTypeId: type?.id ?? '', date: day(7), endDate: day(12) };
    const [slot] = (await client.calendars.availability(free)).data;
    const { startTime = 0, endTime = 0 } = slot ?? {};
    const { appointmentTypeId } = free;
    await client.appointments.create({ appointmentTypeId, startTime, endTime, contactId });
    const { id } = await client.conversations.create({ contactId, channel: 'live_chat' });
    await client.conversations.send(id, {
      channel: 'live_chat',
      bodyText: 'We have it, thank you.',
    });

    await page.goto(`${url}/console/${place.subAccountId}/contacts/${contactId}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByRole('link', { name: 'We have it, thank you.' }).first().waitFor(PATIENCE);
    await timeline.getByText('Look at the X-ray').first().waitFor();
    await timeline.getByText('To do').first().waitFor();
    const start = new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'Europe/Berlin',
    });
    const booked = timeline
      .getByRole('listitem')
      .filter({ hasText: /booked/ })
      .first();
    await booked.getByText(start.format(startTime), { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await timeline
      .getByRole('button', { name: /^Answers in Send an X-ray/ })
      .first()
      .press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send an X-ray' });
    await dialog.getByText('ada@example.com').waitFor(PATIENCE);
    await dialog.getByText('Yes', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const href = await dialog.getByRole('link', { name: /^tooth\.png/ }).getAttribute('href');
    const bytes = await page.evaluate(
      `fetch(${JSON.stringify(href)}).then((response) => response.bytes()).then((all) => [...all])`,
    );
    expect(Buffer.from(bytes as number[]).equals(PNG)).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await timeline.getByRole('link', { name: 'We have it, thank you.' }).first().click();
    await page.waitForURL(`**/inbox/${id}`);
    await page.goto(`${url}/console/${place.subAccountId}/contacts/${contactId}`);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New note' }).click();
    await page.waitForURL('**/inbox/*');
    await page.getByRole('switch', { name: 'Internal note', checked: true }).waitFor();
    const note = `Prefers Saturdays (${look.colorScheme})`;
    await page.getByRole('textbox', { name: 'Reply' }).fill(note);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('log').getByText(note).waitFor();
    await page.goBack();
    await timeline
      .getByRole('listitem')
      .filter({ hasText: note })
      .getByText('Note', { exact: true })
      .waitFor();
    expect(faults).toEqual([]);
  },
);
