import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';

const SCREENSHOTS = process.env['TEST_SCREENSHOTS'];

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Opens a form, and collects the errors that the browser reports. */
export async function visitForm(
  browser: Browser,
  { url }: TestService,
  formId: string,
  options?: BrowserContextOptions,
): Promise<{ page: Page; complaints: string[] }> {
  const page = await openPage(browser, options);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Browsers log the 400 of a refused form.
    if (message.type() === 'error' && !message.text().includes('status of 400')) {
      complaints.push(message.text());
    }
  });
  await page.goto(`${url}/f/${formId}`);
  return { page, complaints };
}

/** Saves a picture of the page in the folder TEST_SCREENSHOTS, if that is set. */
export const shoot = async (page: Page, name: string): Promise<unknown> =>
  SCREENSHOTS && page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true });
