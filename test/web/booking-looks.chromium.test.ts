import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { managed } from '../booking/pages/page.support.ts';
import { calendarOf } from '../support/calendars.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { describe, expect, test } from '../support/service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const LONG = 'Anamnesegespräch mit Voruntersuchung und Zahnreinigungsvorbereitungstermin';

const LOOKS = [
  ['wide and light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['wide and dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ['in between', { viewport: { width: 700, height: 900 }, colorScheme: 'light' }],
  ['narrow and light', { viewport: { width: 320, height: 600 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 375, height: 740 }, colorScheme: 'dark' }],
] as const;

/** Runs in the browser. Returns texts with too little contrast (WCAG 2.2 AA). */
const FAINT = `(() => {
  const channelsOf = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (channels) => {
    const [red, green, blue] = channels.map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    if (!element) {
      return [255, 255, 255];
    }
    const [red, green, blue, alpha = 1] = channelsOf(getComputedStyle(element).backgroundColor);
    return alpha === 0 ? behind(element.parentElement) : [red, green, blue];
  };
  const shown = [...document.querySelectorAll('main *')].filter((element) => {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim());
    return own && element.checkVisibility() && !element.closest('[aria-hidden], option, optgroup');
  });
  return shown.flatMap((element) => {
    const text = luminance(channelsOf(getComputedStyle(element).color).slice(0, 3));
    const ground = luminance(behind(element));
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    return ratio < 4.5 ? [element.textContent.trim().slice(0, 40) + ' ' + ratio.toFixed(2)] : [];
  });
})()`;

/** Runs in the browser. Returns controls that are too small for a finger or have no name. */
const AWKWARD = `(() => {
  const acting = document.querySelectorAll('main :is(a, button, select, input, textarea, summary)');
  return [...acting]
    .filter((element) => element.checkVisibility() && element.type !== 'hidden')
    .flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const isField = /^(?:INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
      const name = element.getAttribute('aria-label') ?? element.textContent.trim();
      const isNamed = isField ? element.labels.length > 0 : name !== '';
      const isInline = getComputedStyle(element).display === 'inline';
      const isSmall = !isInline && (width < 24 || height < 40);
      return isNamed && !isSmall ? [] : [element.outerHTML.slice(0, 80) + width + '×' + height];
    });
})()`;

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.for(LOOKS)('%s', ([, look]) => {
  test('every page has enough contrast and large enough controls, and fits its width', async ({
    service,
  }) => {
    const type = { key: 'checkup-30', name: LONG, slug: 'check-up', duration: 30 };
    const { path } = await managed(service, { types: [type] });
    await calendarOf(service, { types: [type] });
    const { url, subAccountId } = service;
    const page = await openPage(browser, { timezoneId: 'UTC', reducedMotion: 'reduce', ...look });
    const checked: string[] = [];
    const check = async (name: string) => {
      expect([name, await page.evaluate(FAINT)]).toEqual([name, []]);
      expect([name, await page.evaluate(AWKWARD)]).toEqual([name, []]);
      expect([name, await page.evaluate(OVERFLOW)]).toEqual([name, 0]);
      expect(await page.locator('h1').count()).toBe(1);
      checked.push(name);
    };
    await page.goto(`${url}/book/${subAccountId}`);
    await check('what can be booked');
    await page.goto(`${url}/book/${subAccountId}/check-up?tz=America/Argentina/ComodRivadavia`);
    await check('times');
    await page.locator('a.slot').first().click();
    await page.getByLabel('First name').fill('Grace');
    await check('the form');
    await page.evaluate("document.querySelector('form[data-once]').noValidate = true");
    await page.getByRole('button', { name: 'Confirm booking' }).click();
    await page.getByRole('alert').waitFor();
    await check('the form refused');
    await page.goto(url + path);
    await page.locator('summary').click();
    await check('an appointment');
    await page.goto(`${url + path}/move?tz=UTC`);
    await check('moving it');
    await page.locator('a.slot').first().click();
    await page.getByRole('button', { name: 'Reschedule to this time' }).waitFor();
    await check('moving it there');
    await page.goto(`${url}/book/${subAccountId}/nothing`);
    await check('nothing');
    expect(checked).toHaveLength(8);
  });
});

/** Runs in the browser. Returns where the next month's name and first number are, in their cell and row. */
const FIRST_DAY = `(() => {
  const label = document.querySelector('.next-month');
  const middle = ({ left, right }) => Math.round((left + right) / 2);
  const numberOf = (day) => {
    const range = document.createRange();
    range.selectNode(day.firstChild);
    return range.getBoundingClientRect();
  };
  const cell = label.parentElement;
  const row = [...cell.closest('tr').querySelectorAll('.day')];
  const shown = label.getBoundingClientRect();
  return {
    isShown: shown.width > 0,
    fromMiddle: middle(shown) - middle(cell.getBoundingClientRect()),
    tops: new Set(row.map((day) => numberOf(day).top)).size,
  };
})()`;

test('the name of the next month is centred above its first day', async ({ service }) => {
  const now = service.clock();
  const late = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 25);
  service.clock.advance(late - now.getTime());
  await calendarOf(service);
  const page = await openPage(browser, {
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
  });
  await page.goto(`${service.url}/book/${service.subAccountId}/check-up?tz=UTC`);
  expect(await page.evaluate(FIRST_DAY)).toEqual({ isShown: true, fromMiddle: 0, tops: 1 });
});

test('the globe of the zone picker is in line with the zone on the page of an appointment', async ({
  service,
}) => {
  const { path } = await managed(service);
  const page = await openPage(browser, { viewport: { width: 1280, height: 860 } });
  await page.goto(service.url + path);
  const middleOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    return box && Math.round(box.y + box.height / 2);
  };
  expect(await middleOf('form.zone .icon')).toBe(await middleOf('form.zone select'));
});
