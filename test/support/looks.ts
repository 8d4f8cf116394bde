import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

const WIDE = { width: 1_280, height: 720 };
const PHONE = { width: 360, height: 740 };

/** At 200 % in a window of 1,280 pixels. */
const ZOOMED = { width: 640, height: 400 };

/** Dark: only the colors differ from the same look in light. */
export const COLORS = ['color-contrast'];

/** How a page is shown, and the rules of axe that can find something new there: all if undefined. */
const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: WIDE, rules: undefined },
  { name: 'dark', colorScheme: 'dark', viewport: WIDE, rules: COLORS },
  { name: 'zoomed', colorScheme: 'light', viewport: ZOOMED, rules: undefined },
  { name: 'phone', colorScheme: 'light', viewport: PHONE, rules: undefined },
  { name: 'dark-phone', colorScheme: 'dark', viewport: PHONE, rules: COLORS },
] as const;

type Look = (typeof LOOKS)[number];

/**
 * Looks at what the page shows in light and dark, zoomed, and on a phone. Returns what axe finds, except
 * for the rules to ignore, and where the page scrolls sideways. Leaves the page wide and light.
 */
export async function findingsOf(page: Page, what: string, ignored?: RegExp): Promise<string[]> {
  const found: string[] = [];
  const session = await page.context().newCDPSession(page);
  const show = async ({ colorScheme, viewport }: Pick<Look, 'colorScheme' | 'viewport'>) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    // Fingers need larger targets: `pointer: coarse`.
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: viewport === PHONE });
  };
  for (const look of LOOKS) {
    const { name, rules } = look;
    await show(look);
    const findings = (await axeFindings(page, rules)).filter((one) => !ignored?.test(one));
    const over = await overflowOf(page);
    found.push(
      ...findings.map((finding) => `${what}, ${name}: ${finding}`),
      ...(over === 0 ? [] : [`${what}, ${name}: scrolls sideways by ${over} px`]),
    );
    await picture(page, `${what}-${name}`);
  }
  await show(LOOKS[0]);
  await session.detach();
  return found;
}

let axe: string | undefined;

/** Returns the rules of WCAG 2.2 AA and the best practices, or of the given rules, that the page breaks. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) {
    axe ??= await readFile('node_modules/axe-core/axe.min.js', 'utf8');
    // The tool is run from outside the page's policy.
    await page.evaluate(axe);
  }
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate(
    // What React Aria has announced stays in its region for seconds, and refers to what may be gone.
    `axe.run({ exclude: ['[data-live-announcer]'] }, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 400)))`,
  );
}

/** Returns by how many pixels the page scrolls sideways. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Saves a picture of the page in the folder TEST_SCREENSHOTS, if that is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['TEST_SCREENSHOTS'];
  if (folder !== undefined) {
    await page.screenshot({ path: `${folder}/${name.replaceAll(/\W+/g, '-')}.png` });
  }
}
