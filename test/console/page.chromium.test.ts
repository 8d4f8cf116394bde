import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { chatWith, install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings, findingsOf } from '../support/looks.ts';

const PATIENT = { timeout: 60_000 };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const PAGES = [
  'Contacts',
  'Calendar',
  'Opportunities',
  'Tasks',
  'Campaigns',
  'Workflows',
  'Webhooks',
  'Approvals',
  'Settings',
];
const HOSTILE =
  '<img src=https://evil.example/x onerror="document.title=1"><script>document.title=2</script>{{firstName}}';

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

const chat = (url: string, visitorName: string, message: string) =>
  chatWith({ url, subAccountId: place.subAccountId }, visitorName, message);

describe('the inbox', () => {
  test('shows the message of a visitor, and the reply reaches the chat', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const visitor = await chat(url, 'Ada Lovelace', 'Do you have a slot this week?');
    const row = page.getByRole('list', { name: 'Conversations' }).getByText('Ada Lovelace');
    await row.click(PATIENT);
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('log').getByText('Do you have a slot this week?').waitFor();
    await page.getByRole('textbox', { name: 'Reply' }).fill('Yes, on Thursday.');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(visitor.seen, PATIENT).toContainEqual(expect.stringContaining('Thursday'));
    await visitor.say('Thursday is fine');
    await page.getByRole('log').getByText('Thursday is fine').waitFor();
    expect(faults).toEqual([]);
  });

  test('shows a message that arrives while the thread loads', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const visitor = await chat(url, 'Annie Easley', 'Good morning');
    await page.route(
      /\/messages\?/,
      async (route) => {
        const response = await route.fetch();
        await visitor.say('Are you open today?');
        // The list shows the message when the stream has announced it.
        await page.getByRole('list', { name: 'Conversations' }).getByText('open today').waitFor();
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByText('Annie Easley')
      .click(PATIENT);
    await page.getByRole('log').getByText('Are you open today?').waitFor();
    expect(faults).toEqual([]);
  });

  test('a note is not sent to the visitor', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const visitor = await chat(url, 'Grace Hopper', 'Hello');
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByText('Grace Hopper')
      .click(PATIENT);
    await page.getByRole('switch', { name: 'Internal note' }).press('Space');
    await page.getByRole('textbox', { name: 'Reply' }).fill('Prefers mornings');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('log').getByText('Prefers mornings').waitFor();
    await visitor.say('Are you there?');
    await page.getByRole('log').getByText('Are you there?').waitFor();
    expect((await visitor.seen()).join()).not.toContain('mornings');
    expect(faults).toEqual([]);
  });

  test('is used with the keyboard alone', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    await chat(url, 'Katherine Johnson', 'Hello');
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByText('Katherine Johnson')
      .waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Katherine Johnson' }).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('Good morning');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('log').getByText('Good morning').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.getByRole('menuitemradio', { name: /Anna Weber/ }).press('Enter');
    await page.getByRole('button', { name: 'Assign' }).getByText('Anna Weber').waitFor();
    // The pointer lies where the menu appears.
    const snooze = await page.getByRole('button', { name: 'Snooze' }).boundingBox();
    await page.mouse.move((snooze?.x ?? 0) + 10, (snooze?.y ?? 0) + 90);
    await page.keyboard.press('s');
    await page.getByRole('menuitem', { name: 'In 3 hours' }).waitFor();
    const focused = () => page.evaluate('document.activeElement.innerText');
    await expect.poll(focused, PATIENT).toMatch(/^In 3 hours/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.type('Contacts');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Contacts' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('hostile content is text', async () => {
    const { page, url, faults } = await openConsole(browser, place);
    const name = '<b onclick=alert(1)>Eve</b>';
    const visitor = await chat(url, name, HOSTILE);
    await page.getByRole('list', { name: 'Conversations' }).getByText(name).click(PATIENT);
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('log').getByText(HOSTILE).waitFor();
    await visitor.say('javascript:alert(1) https://example.com/?"onclick=alert(1)');
    const link = page.getByRole('log').getByRole('link', { name: /example\.com/ });
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/example\.com\//);
    expect(await page.title()).toContain('Frontdesk');
    expect(faults).toEqual([]);
  });

  test('a draft survives a reload', async () => {
    const { page, url } = await openConsole(browser, place);
    await chat(url, 'Mary Jackson', 'Hello');
    await page
      .getByRole('list', { name: 'Conversations' })
      .getByText('Mary Jackson')
      .click(PATIENT);
    await page.getByRole('textbox', { name: 'Reply' }).fill('Not finished');
    await page.reload();
    const box = page.getByRole('textbox', { name: 'Reply' });
    await expect.poll(() => box.inputValue(), PATIENT).toBe('Not finished');
  });
});

test('a session ends with Sign out, in every tab of the browser', async () => {
  const { page } = await openConsole(browser, place);
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('textbox', { name: 'Email' }).waitFor();
  expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(1);
});

test('a session that an operator ends leads to the sign-in page, also where nothing is loaded', async () => {
  const { admin, subAccountId } = place;
  const email = 'leaver@harbour.example';
  await admin(`user invite --email ${email} --role agent --sub-account ${subAccountId}`);
  const { page, url } = await openConsole(browser, place, {}, email);
  await page.goto(`${url}/console/${subAccountId}/contacts`);
  await page.getByRole('table', { name: 'Contacts' }).waitFor({ state: 'attached', ...PATIENT });
  const other = await page.context().newPage();
  await other.goto(`${url}/console/${subAccountId}/contacts`);
  await other.getByRole('table', { name: 'Contacts' }).waitFor({ state: 'attached', ...PATIENT });
  await admin(`user sign-out --email ${email}`);
  // The stream ends within 30 seconds of its session.
  for (const tab of [page, other]) {
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor(PATIENT);
    expect(await tab.getByText('Offline.').count()).toBe(0);
  }
});

test('every page works without findings, violations and scrolling sideways', async () => {
  const { page, url, faults } = await openConsole(browser, place);
  await chat(url, 'Radia Perlman', 'Hello');
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByText('Radia Perlman')
    .first()
    .click(PATIENT);
  await page.getByRole('textbox', { name: 'Reply' }).waitFor();
  const found = await findingsOf(page, 'inbox');
  for (const name of PAGES) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    found.push(...(await findingsOf(page, name)));
  }
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByRole('row').getByRole('link', { name: 'Radia Perlman' }).first().click(PATIENT);
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('textbox', { name: 'First name' }).waitFor();
  found.push(...(await findingsOf(page, 'contact')));
  expect(found).toEqual([]);
  expect(faults).toEqual([]);
});

test('on a phone, five entries fit in the navigation, and the last one has the other pages', async () => {
  const { page, faults } = await openConsole(browser, place, PHONE);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const { width } = PHONE.viewport;
  for (const entry of [
    ...['Inbox', 'Contacts', 'Calendar', 'Tasks'].map((name) =>
      navigation.getByRole('link', { name }),
    ),
    navigation.getByRole('button', { name: 'More' }),
  ]) {
    const box = (await entry.boundingBox(PATIENT)) ?? { x: -1, width: 0 };
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
  }
  await navigation.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor(PATIENT);
  expect(await axeFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('the button with the name of the sub-account switches it', async () => {
  const { id } = await place.admin('sub-account create --name Lighthouse');
  const { page } = await openConsole(browser, place);
  await page.getByRole('button', { name: /Harbour|Lighthouse/ }).click();
  await page.getByRole('menuitemradio', { name: 'Lighthouse' }).click();
  await expect.poll(() => page.url(), PATIENT).toContain(`/console/${id}/inbox`);
  await page.getByRole('button', { name: 'Lighthouse' }).waitFor();
  await page.getByText('No conversations yet').waitFor();
  await page.getByRole('link', { name: 'Connect a channel' }).click();
  await page.getByRole('tab', { name: 'Channels', selected: true }).waitFor(PATIENT);
});
