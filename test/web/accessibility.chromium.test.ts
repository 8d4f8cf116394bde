import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contrast, type Color } from '#lib/brand-palette.ts';
import { openBrowser } from '../support/browser.ts';
import { begin, texts, PATIENT, visit, write, type Visit } from './chat.support.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const PHONE = {
  viewport: { width: 375, height: 667 },
  hasTouch: true,
  isMobile: true,
};
const TARGET_PX = 44;
const focused = ({ page }: Visit): Promise<unknown> =>
  page.evaluate(
    '(({ activeElement: a }) => a && (a.name || a.ariaLabel || a.getAttribute("aria-label") || a.textContent))(document.querySelector(".frontdesk-chat").shadowRoot)',
  );

describe('with the keyboard alone', () => {
  test('the focus follows a visitor who opens, starts, writes and closes', async () => {
    const visitor = await visit(browser);
    const { page, launcher, panel } = visitor;
    await launcher.waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(visitor)).toBe('Open chat');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(visitor), PATIENT).toBe('name');
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(visitor), PATIENT).toBe('Your message');
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    await expect.poll(() => texts(visitor), PATIENT).toContain('Hello');
    expect(await focused(visitor)).toBe('Your message');
    await page.keyboard.press('Escape');
    expect(await panel.count()).toBe(0);
    expect(await focused(visitor)).toBe('Open chat');
    await page.keyboard.press('Space');
    await expect.poll(() => focused(visitor), PATIENT).toBe('Your message');
    expect(await focused(visitor)).toBe('Your message');
  });

  test('the focus is visible', async () => {
    const { launcher, page } = await visit(browser);
    await launcher.waitFor();
    await page.keyboard.press('Tab');
    const outline = await launcher.evaluate((element) => {
      const { outlineStyle, outlineWidth } = (globalThis as any).getComputedStyle(element);
      return [outlineStyle, outlineWidth];
    });
    expect(outline).toEqual(['solid', '2px']);
  });
});

describe('for a screen reader', () => {
  test('the panel is a labelled, non-modal dialog', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    const dialog = visitor.page.getByRole('dialog', { name: 'Harbour Dental' });
    expect(await dialog.getAttribute('aria-modal')).toBeNull();
    expect(await visitor.launcher.getAttribute('aria-expanded')).toBe('true');
    expect(await visitor.log.getAttribute('aria-live')).toBe('polite');
    await expect.poll(() => visitor.log.getAttribute('aria-busy'), PATIENT).toBe('false');
  });

  test('each message names its sender and keeps its element when it is sent', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    const release = visitor.peer.delay('message');
    await write(visitor, 'Hello');
    const bubble = await visitor.log.locator('.message.own').elementHandle();
    release();
    await visitor.log.locator('.message.own time').waitFor();
    expect(await bubble?.evaluate((element) => element.isConnected)).toBe(true);
    visitor.peer.say('Good morning');
    visitor.peer.say('How are you?');
    await expect.poll(() => texts(visitor), PATIENT).toContain('How are you?');
    const snapshot = await visitor.log.locator('.message .sender').allTextContents();
    expect(snapshot.slice(1)).toEqual(['You', 'Anna Weber', 'Anna Weber']);
  });

  test('a right-to-left text is shown right to left', async () => {
    const visitor = await visit(browser);
    await begin(visitor);
    visitor.peer.say('שלום, מה שלומך?');
    const bubble = visitor.log.getByText('שלום');
    await bubble.waitFor();
    const direction = await bubble.evaluate(
      (element) => (globalThis as any).getComputedStyle(element).direction as string,
    );
    expect(direction).toBe('rtl');
    expect(await visitor.composer.getAttribute('dir')).toBe('auto');
  });
});

describe('on a phone', () => {
  test('the panel covers the page, is modal, and keeps the focus', async () => {
    const visitor = await visit(browser, { context: PHONE });
    const { page, launcher, panel } = visitor;
    await launcher.tap();
    expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 667 });
    expect(await panel.getAttribute('aria-modal')).toBe('true');
    const stops: unknown[] = [];
    for (let count = 0; count < 4; count += 1) {
      stops.push(await focused(visitor));
      await page.keyboard.press('Tab');
    }
    expect(stops).toEqual(['name', 'email', 'Start chat', 'Close chat']);
    expect(await focused(visitor)).toBe('name');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(visitor)).toBe('Start chat');
  });

  test('touch targets are large enough, and no field makes the page zoom', async () => {
    const visitor = await visit(browser, { context: PHONE });
    const targets = async () => {
      const all = await visitor.page.locator('.widget :is(button, input, textarea):visible').all();
      const boxes = await Promise.all(all.map((one) => one.boundingBox()));
      return boxes.map((box) => Math.min(box?.width ?? 0, box?.height ?? 0));
    };
    const fontSizes = () =>
      visitor.page
        .locator('.widget :is(input, textarea):visible')
        .evaluateAll((all) =>
          all.map((one) => Number.parseFloat((globalThis as any).getComputedStyle(one).fontSize)),
        );
    await visitor.launcher.waitFor();
    const sizes = await targets();
    await visitor.launcher.tap();
    sizes.push(...(await targets()));
    const fonts = await fontSizes();
    await visitor.launcher.evaluate((element) => void (element as any).click());
    await begin(visitor);
    visitor.peer.faults.set('message', { status: 503 });
    await write(visitor, 'Hello');
    await visitor.log.getByRole('button', { name: 'Try again' }).waitFor();
    sizes.push(...(await targets()));
    fonts.push(...(await fontSizes()));
    expect(sizes.length).toBeGreaterThan(7);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(TARGET_PX);
    expect(fonts.length).toBe(3);
    expect(Math.min(...fonts)).toBeGreaterThanOrEqual(16);
  });

  test('nothing is wider than the screen, even with a long word', async () => {
    const visitor = await visit(browser, { context: PHONE });
    await begin(visitor);
    visitor.peer.say('x'.repeat(500));
    await expect.poll(() => texts(visitor), PATIENT).toContain('x'.repeat(500));
    const { log, page } = visitor;
    expect(await log.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  });
});

/** WCAG 2.2 AA. The test of the palette measures the gradients of the brand colour. */
const READABLE = 4.5;
/** Text of the panel with its color and its background color, as `rgb(…)`. */
const TEXT_AND_GROUND = `[...document.querySelector('.frontdesk-chat').shadowRoot.querySelectorAll('.body *')]
  .filter((element) => element.checkVisibility() && element.closest('.avatar, .spoken, [aria-disabled]') === null)
  .filter(({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .map((element) => {
    let ground = element;
    while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    return [element.textContent, getComputedStyle(element).color, getComputedStyle(ground).backgroundColor];
  })`;
const colourOf = (css: string) => (css.match(/\d+/g) ?? []).map(Number) as unknown as Color;

test.each(['light', 'dark'] as const)(
  'every text of a %s panel is readable',
  async (colorScheme) => {
    const visitor = await visit(browser, {
      context: { colorScheme },
      configuration: { legalText: 'See https://harbour.example/privacy', requireEmail: false },
    });
    const { page, peer, log } = visitor;
    await visitor.launcher.click();
    await page.getByRole('button', { name: 'Start chat' }).click();
    const seen = await page.evaluate<[string, string, string][]>(TEXT_AND_GROUND);
    await page.getByLabel('Your name').fill('Ada');
    await page.keyboard.press('Enter');
    await visitor.composer.waitFor();
    await write(visitor, 'See https://a.example');
    peer.say('And https://b.example');
    await log.getByText('https://b.example').waitFor();
    peer.faults.set('message', { status: 503 });
    await write(visitor, 'Hello?');
    await log.getByRole('button', { name: 'Try again' }).waitFor();
    seen.push(...(await page.evaluate<[string, string, string][]>(TEXT_AND_GROUND)));
    const faint = seen.filter(
      ([, text, ground]) => contrast(colourOf(text), colourOf(ground)) < READABLE,
    );
    expect(faint).toEqual([]);
    expect(seen.length).toBeGreaterThan(12);
  },
);

describe("with the visitor's system settings", () => {
  const styleOf = (visitor: Visit, property: string) =>
    visitor.panel.evaluate(
      (element, name) => (globalThis as any).getComputedStyle(element)[name] as string,
      property,
    );

  test.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(18, 21, 27)'],
  ] as const)('the panel is %s', async (colorScheme, colour) => {
    const visitor = await visit(browser, { context: { colorScheme } });
    await visitor.launcher.click();
    expect(await styleOf(visitor, 'backgroundColor')).toBe(colour);
  });

  test.each([
    ['no-preference', 'rise'],
    ['reduce', 'none'],
  ] as const)('motion: %s', async (reducedMotion, animation) => {
    const visitor = await visit(browser, { context: { reducedMotion } });
    await visitor.launcher.click();
    expect(await styleOf(visitor, 'animationName')).toBe(animation);
  });
});

test('an optional field says so beside its label, in quiet text', async () => {
  const { launcher, panel } = await visit(browser, { configuration: { requireEmail: false } });
  await launcher.click();
  const hint = panel.locator('label .hint').first();
  const [padding, color, own] = await hint.evaluate((element) => {
    const styleOf = (one: unknown) => (globalThis as any).getComputedStyle(one);
    const { paddingLeft, color: quiet } = styleOf(element);
    return [paddingLeft, quiet, styleOf((element as any).parentElement).color];
  });
  expect(padding).toBe('0px');
  expect(color).not.toBe(own);
});
