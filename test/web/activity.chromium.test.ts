import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { begin, PATIENT, visit, write, type Visit } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const LONG_MS = 600_000;
const notesOf = ({ peer }: Visit, path: string) =>
  peer.seen.filter((one) => one.path === path).map(({ body }) => body);

/** Starts a chat whose stream is open. */
async function talk(settings: Parameters<typeof visit>[1] = {}): Promise<Visit> {
  const visitor = await visit(browser, settings);
  await begin(visitor);
  await expect.poll(() => visitor.peer.streams, PATIENT).toBe(1);
  return visitor;
}

describe('typing', () => {
  test('of the team is shown until it stops, and until its message arrives', async () => {
    const { peer, page } = await talk();
    const line = page.getByText('The team is typing');
    peer.type(LONG_MS);
    await line.waitFor();
    peer.type(0);
    await line.waitFor({ state: 'detached' });
    peer.type(LONG_MS);
    await line.waitFor();
    peer.say('Good morning');
    await line.waitFor({ state: 'detached' });
    expect(await line.count()).toBe(0);
  });

  test('of the team ends by itself when it is not repeated', async () => {
    const { peer, page } = await talk();
    peer.type(50);
    const line = page.getByText('The team is typing');
    await expect.poll(() => line.count(), PATIENT).toBe(0);
  });

  test('of the visitor is told once in five seconds, and when it ends', async () => {
    const visitor = await talk({ prepare: (_peer, page) => page.clock.install() });
    const { composer, page } = visitor;
    const [sessionId] = visitor.peer.sessions.keys();
    await composer.pressSequentially('Hello');
    await expect.poll(() => notesOf(visitor, 'typing'), PATIENT).toHaveLength(1);
    await page.clock.fastForward(5_100);
    await composer.pressSequentially('!');
    await expect.poll(() => notesOf(visitor, 'typing'), PATIENT).toHaveLength(2);
    await composer.press('Enter');
    await expect
      .poll(() => notesOf(visitor, 'typing'), PATIENT)
      .toEqual([true, true, false].map((isTyping) => ({ sessionId, isTyping })));
  });
});

describe('what the visitor has seen', () => {
  test('is told once for each message that an open panel shows', async () => {
    const visitor = await talk();
    const { peer, launcher } = visitor;
    const [sessionId] = peer.sessions.keys();
    const first = peer.say('One');
    await expect
      .poll(() => notesOf(visitor, 'seen'), PATIENT)
      .toEqual([{ sessionId, messageId: first.id }]);
    await launcher.click();
    const second = peer.say('Two');
    await visitor.page.getByRole('button', { name: 'Open chat, 1 unread message' }).click();
    await expect
      .poll(() => notesOf(visitor, 'seen'), PATIENT)
      .toEqual([first, second].map(({ id }) => ({ sessionId, messageId: id })));
  });

  test('and what not is counted in the title of the page, which keeps its own text', async () => {
    const visitor = await talk();
    const { peer, page, launcher } = visitor;
    await launcher.click();
    peer.say('One');
    await expect.poll(() => page.title(), PATIENT).toBe('(1) A site');
    await page.evaluate('document.title += ", changed"');
    peer.say('Two');
    await expect.poll(() => page.title(), PATIENT).toBe('(2) A site, changed');
    await launcher.click();
    await expect.poll(() => page.title(), PATIENT).toBe('A site, changed');
  });
});

describe('a chat that asks for nothing', () => {
  const FREE = { requireName: false, requireEmail: false, legalText: 'We keep what you write.' };

  test('begins with the first message', async () => {
    const visitor = await visit(browser, { configuration: FREE });
    const { peer, page, log, launcher } = visitor;
    await launcher.click();
    expect(await page.getByLabel('Your name').count()).toBe(0);
    await page.getByText('We keep what you write.').waitFor();
    await write(visitor, 'Are you open today?');
    await log.getByText('Are you open today?').waitFor();
    await expect
      .poll(
        () => peer.seen.filter(({ method }) => method === 'POST').map(({ path }) => path),
        PATIENT,
      )
      .toEqual(expect.arrayContaining(['session', 'message']));
    expect(notesOf(visitor, 'session')).toMatchObject([{ visitorName: 'Visitor' }]);
  });

  test('gives the text back if it cannot begin', async () => {
    const visitor = await visit(browser, {
      configuration: FREE,
      prepare: (peer) => void peer.faults.set('session', { status: 503 }),
    });
    await visitor.launcher.click();
    await write(visitor, 'Are you open today?');
    await visitor.page.getByText('We cannot be reached right now').waitFor();
    expect(await visitor.composer.inputValue()).toBe('Are you open today?');
  });

  test('asks for an address outside the hours', async () => {
    const { page, launcher } = await visit(browser, { configuration: { ...FREE, online: false } });
    await launcher.click();
    await expect.poll(() => page.getByLabel('Your email').count(), PATIENT).toBe(1);
  });
});

describe('the hours', () => {
  const HOURS = { mon: ['09:00-17:00'], tue: ['09:00-17:00'] };
  /** A Monday in summer, 16:59 in Berlin. */
  const CLOSING = new Date('2026-07-06T14:59:00Z');

  test('end while the page is open, and the notice says when they begin again', async () => {
    const { page, launcher } = await visit(browser, {
      configuration: { online: true, businessHours: HOURS, timezone: 'Europe/Berlin' },
      context: { timezoneId: 'America/New_York' },
      prepare: (_peer, page) => page.clock.install({ time: CLOSING }),
    });
    await launcher.click();
    await page.getByText('We are online').waitFor();
    await page.clock.fastForward(61_000);
    await page.locator('.presence').getByText('We are away right now').waitFor();
    await expect.poll(() => page.getByText('Back Tuesday, 03:00.').count(), PATIENT).toBe(1);
  });

  test('are not claimed if there are none', async () => {
    const { page, launcher } = await visit(browser, { configuration: { businessHours: null } });
    await launcher.click();
    await page.getByLabel('Your name').waitFor();
    expect(await page.getByText('We are online').isVisible()).toBe(false);
  });
});
