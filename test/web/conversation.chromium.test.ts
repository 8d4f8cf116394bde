import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { SUB_ACCOUNT } from './chat-peer.ts';
import { begin, partsOf, texts, PATIENT, visit, write } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const GREETING = 'Hello! 👋 How can we help you today?';

describe('starting a chat', () => {
  test('with a name and an email, once', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    const calls = visitor.peer.seen.filter(({ method }) => method === 'POST');
    expect(calls.map(({ path, body }) => [path, body])).toEqual([
      [
        'session',
        { subAccountId: SUB_ACCOUNT, visitorName: 'Ada Lovelace', visitorEmail: 'ada@example.com' },
      ],
    ]);
    expect(await texts(visitor)).toEqual([GREETING]);
  });

  test('works without an email if none is required', async () => {
    const visitor = await visit(browser, { configuration: { requireEmail: false } });
    await visitor.launcher.click();
    await visitor.page.getByLabel('Your email (optional)').waitFor();
    await visitor.page.getByLabel('Your name').fill(' Ada ');
    await visitor.page.keyboard.press('Enter');
    await visitor.composer.waitFor();
    const session = visitor.peer.seen.find(({ path }) => path === 'session');
    expect(session?.body).toEqual({ subAccountId: SUB_ACCOUNT, visitorName: 'Ada' });
  });

  test('is refused until errors are corrected, with the focus on the first one', async () => {
    const { launcher, page, panel, peer } = await visit(browser);
    await launcher.click();
    const [name, email] = [page.getByLabel('Your name'), page.getByLabel('Your email')];
    await email.fill('no-one');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.getByText('Please tell us your name.').waitFor();
    await page.getByText('This does not look like an email address.').waitFor();
    expect(await panel.locator(':focus').getAttribute('name')).toBe('name');
    await name.fill('Ada');
    await email.fill('');
    await name.press('Enter');
    await page.getByText('Please enter your email address').waitFor();
    expect(await panel.locator(':focus').getAttribute('name')).toBe('email');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(peer.seen.map(({ path }) => path)).toEqual(['config']);
  });

  test('shows the legal text with a clickable link', async () => {
    const legalText = 'See https://harbour.example/privacy.';
    const { launcher, page } = await visit(browser, { configuration: { legalText } });
    await launcher.click();
    const link = page.getByRole('link', { name: 'https://harbour.example/privacy' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  });
});

describe('writing', () => {
  test('Enter sends, Shift+Enter starts a line, and an input method keeps its Enter', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    const { composer, peer } = visitor;
    await composer.fill('one');
    await composer.press('Shift+Enter');
    await composer.pressSequentially('two');
    const grown = (await composer.boundingBox())?.height ?? 0;
    expect(grown).toBeGreaterThan(60);
    await composer.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    expect(await composer.inputValue()).toBe('one\ntwo');
    await composer.press('Enter');
    await expect.poll(() => texts(visitor), PATIENT).toEqual([GREETING, 'one\ntwo']);
    expect(await composer.inputValue()).toBe('');
    expect((await composer.boundingBox())?.height).toBeLessThan(grown);
    const sent = peer.seen.filter(({ path }) => path === 'message');
    expect(sent.map(({ body }) => body.message)).toEqual(['one\ntwo']);
  });

  test('empty and too long texts are not sent', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    await write(visitor, '  \n ');
    await write(visitor, 'x'.repeat(5001));
    await visitor.panel.getByRole('alert').getByText('5000 characters').waitFor();
    await visitor.composer.fill('x'.repeat(5000));
    await visitor.composer.press('Enter');
    await expect.poll(() => visitor.peer.sessions.values().next().value?.length, PATIENT).toBe(1);
    expect(visitor.peer.seen.filter(({ path }) => path === 'message').length).toBe(1);
  });

  test('HTML is shown as text, and only URLs are links', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    const hostile = '<img src=x onerror=alert(1)> javascript:alert(1) https://a.example/x';
    await write(visitor, hostile);
    visitor.peer.say('<script>alert(1)</script>', '<b>Anna</b>');
    await visitor.log.getByText('<script>alert(1)</script>').waitFor();
    await visitor.log.getByText('<b>Anna</b>').waitFor();
    const links = visitor.log.getByRole('link');
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
      'https://a.example/x',
    ]);
    expect(await visitor.log.locator('img, script, b').count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });

  test('own messages are on the right, others on the left with a name', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    await write(visitor, 'Hi');
    await expect.poll(() => texts(visitor), PATIENT).toContain('Hi');
    visitor.peer.say('Good morning');
    const answer = visitor.log.getByText('Good morning');
    await answer.waitFor();
    const [own, theirs] = [
      await visitor.log.getByText('Hi').boundingBox(),
      await answer.boundingBox(),
    ];
    expect(own?.x).toBeGreaterThan((theirs?.x ?? 0) + 100);
    await visitor.log.getByText('Anna Weber').waitFor();
    expect(await visitor.log.locator('time').count()).toBe(2);
  });
});

describe('the history', () => {
  test('is loaded again after a reload, and the session continues', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    await write(visitor, 'Hi');
    await expect.poll(() => visitor.peer.sessions.values().next().value?.length, PATIENT).toBe(1);
    visitor.peer.say('Good morning');
    await expect.poll(() => texts(visitor), PATIENT).toEqual([GREETING, 'Hi', 'Good morning']);
    await visitor.page.reload();
    await visitor.launcher.click();
    await expect.poll(() => texts(visitor), PATIENT).toEqual([GREETING, 'Hi', 'Good morning']);
    await write(visitor, 'And now?');
    await expect.poll(() => visitor.peer.sessions.values().next().value?.length, PATIENT).toBe(3);
    expect(visitor.peer.sessions.size).toBe(1);
  });

  test('is loaded completely before any message counts as new', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    await visitor.page.goto('about:blank');
    for (let count = 0; count < 230; count += 1) {
      visitor.peer.say(`message ${count}`);
    }
    await visitor.page.goto(visitor.site);
    await visitor.page.getByRole('button', { name: '230 unread messages' }).waitFor();
    await visitor.launcher.click();
    const all = Array.from({ length: 230 }, (_, count) => `message ${count}`);
    expect(await texts(visitor)).toEqual([GREETING, ...all]);
    await visitor.log.getByText('message 229').waitFor();
    const asked = visitor.peer.seen.filter(({ path }) => path === 'messages').slice(-3);
    expect(asked.map(({ query }) => query.has('after'))).toEqual([false, true, true]);
  });

  test('shows its unread messages on the launcher, also after a reload', async () => {
    const visitor = await visit(browser);
    const { page, launcher, peer } = visitor;
    await begin(visitor);
    peer.say('Seen');
    await expect.poll(() => texts(visitor), PATIENT).toContain('Seen');
    await page.keyboard.press('Escape');
    peer.say('One');
    peer.say('Two');
    await page.getByRole('button', { name: 'Open chat, 2 unread messages' }).waitFor();
    await page.getByRole('status').getByText('New message from Anna Weber').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open chat, 2 unread messages' }).waitFor();
    await launcher.click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
    await page.reload();
    await expect.poll(() => peer.streams, PATIENT).toBe(1);
    await page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
    expect(await page.title()).toBe('A site');
  });
});

test('two tabs share the session and show each message once', async () => {
  const visitor = await visit(browser);
  const second = await visitor.page.context().newPage();
  await second.goto(visitor.site);
  const other = { ...visitor, page: second, ...partsOf(second) };
  await other.launcher.click();
  await begin(visitor);
  await other.composer.waitFor();
  await write(visitor, 'from the first');
  await write(other, 'from the second');
  await expect.poll(() => visitor.peer.sessions.values().next().value?.length, PATIENT).toBe(2);
  visitor.peer.say('to both');
  for (const tab of [visitor, other]) {
    await expect
      .poll(async () => (await texts(tab)).toSorted(), PATIENT)
      .toEqual([GREETING, 'from the first', 'from the second', 'to both']);
  }
  expect(visitor.peer.sessions.size).toBe(1);
});

test('an unknown session is replaced by a new one, and no text is lost', async () => {
  const visitor = await visit(browser);
  await begin(visitor);
  visitor.peer.sessions.clear();
  await write(visitor, 'Are you there?');
  await visitor.page.getByText('That chat has ended.').waitFor();
  expect(await visitor.panel.locator(':focus').getAttribute('name')).toBe('name');
  await visitor.page.getByRole('button', { name: 'Start chat' }).click();
  await visitor.composer.waitFor();
  expect(await visitor.composer.inputValue()).toBe('Are you there?');
  await visitor.composer.press('Enter');
  await expect.poll(() => visitor.peer.sessions.values().next().value?.length, PATIENT).toBe(1);
});
