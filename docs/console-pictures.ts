import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const PAGE = {
  viewport: { width: 1200, height: 750 },
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  colorScheme: 'light',
  reducedMotion: 'reduce',
} as const;
const PATIENCE_MS = 60_000;
/** The first samples are a minute old when the page asks for them. */
const SAMPLES_MS = 180_000;

/** A page of the console: where it is, and what shows that it is loaded. */
interface Shown {
  readonly path: string;
  readonly isLoaded: (page: Page) => Promise<void>;
}

const row = (page: Page) => page.getByRole('row').nth(1).waitFor();
const openFirst = async (page: Page, loaded: (page: Page) => Promise<void>) => {
  await row(page);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await loaded(page);
};

const PAGES: Readonly<Record<string, Shown>> = {
  inbox: {
    path: 'inbox',
    async isLoaded(page) {
      await page
        .getByRole('list', { name: 'Conversations' })
        .getByText('Grace Hopper')
        .first()
        .click();
      await page.getByRole('textbox', { name: 'Reply' }).waitFor();
    },
  },
  contacts: { path: 'contacts', isLoaded: row },
  contact: {
    path: 'contacts',
    isLoaded: (page) => openFirst(page, (one) => one.getByRole('tab', { name: 'Details' }).click()),
  },
  calendar: {
    path: 'calendar?view=week',
    isLoaded: (page) =>
      page
        .getByRole('region', { name: 'Calendar', exact: true })
        .getByRole('listitem')
        .first()
        .waitFor(),
  },
  opportunities: {
    path: 'opportunities',
    isLoaded: (page) => page.getByRole('button', { name: 'Move to…' }).first().waitFor(),
  },
  tasks: {
    path: 'tasks',
    isLoaded: (page) =>
      page.getByRole('list', { name: 'Tasks' }).getByRole('listitem').first().waitFor(),
  },
  campaigns: { path: 'campaigns', isLoaded: row },
  campaign: {
    path: 'campaigns',
    isLoaded: (page) => openFirst(page, (one) => one.getByRole('progressbar').waitFor()),
  },
  workflows: { path: 'workflows', isLoaded: row },
  workflow: {
    path: 'workflows',
    isLoaded: (page) => openFirst(page, row),
  },
  steps: {
    path: 'workflows',
    isLoaded: (page) => openFirst(page, (one) => one.getByRole('tab', { name: 'Steps' }).click()),
  },
  webhooks: { path: 'webhooks', isLoaded: (page) => page.getByRole('tab').first().waitFor() },
  approvals: {
    path: 'approvals',
    isLoaded: (page) => page.getByRole('button', { name: 'Approve' }).first().waitFor(),
  },
  settings: { path: 'settings', isLoaded: (page) => page.getByRole('tab').first().waitFor() },
  manifest: {
    path: 'settings?tab=manifest',
    isLoaded: (page) => page.locator('.cm-content').waitFor(),
  },
  agency: { path: 'agency', isLoaded: row },
  health: {
    path: 'health',
    isLoaded: (page) => page.locator('canvas').first().waitFor({ timeout: SAMPLES_MS }),
  },
};

/** Pages in the middle of some work, with the records that `prepare-pictures.ts` makes. */
const STEPS: Readonly<Record<string, Shown>> = {
  compose: {
    path: 'campaigns/new',
    async isLoaded(page) {
      await compose(page);
      await page.getByText(/contacts get this mail/).waitFor();
      const frame = page.frameLocator('iframe:visible');
      await frame.getByText('Your last visit').waitFor();
    },
  },
  schedule: {
    path: 'campaigns/new',
    async isLoaded(page) {
      await compose(page);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByRole('button', { name: 'Schedule' }).click();
      await page
        .getByRole('dialog', { name: 'Schedule' })
        .getByText(/^Time zone:/)
        .waitFor();
    },
  },
  waiting: {
    path: 'calendar?view=week',
    async isLoaded(page) {
      await page.getByRole('button', { name: /^Waiting list/ }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
  },
  answers: {
    path: 'contacts',
    async isLoaded(page) {
      await page.getByRole('link', { name: 'Linnea Holm' }).click();
      await page.getByRole('button', { name: /^Answers/ }).click();
      await page.getByRole('dialog').getByText('Does the cleaning hurt?').waitFor();
    },
  },
  palette: {
    path: 'tasks',
    async isLoaded(page) {
      await page.getByRole('listitem').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
      await page.keyboard.type('in');
      await page.getByRole('menuitem', { name: /^Inlays/ }).waitFor();
    },
  },
  channels: {
    path: 'settings?tab=channels',
    async isLoaded(page) {
      await page.getByRole('button', { name: 'Connect a channel' }).click();
      await page.getByRole('menuitem', { name: /Email.*SMTP/ }).click();
      await page.getByRole('dialog').getByLabel('Server').first().waitFor();
    },
  },
  runs: {
    path: 'workflows',
    async isLoaded(page) {
      await openFirst(page, row);
      await page.getByRole('checkbox').nth(1).press('Space');
      await page.getByRole('checkbox').nth(2).press('Space');
      await page.getByRole('toolbar', { name: 'Selected runs' }).waitFor();
    },
  },
};

const CONTENT = `Dear {{firstName}},

Your last visit was half a year ago. Book a time that suits you on our page.`;

async function compose(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Autumn check-ups');
  await page.getByLabel('Subject').fill('Time for a check-up, {{firstName}}?');
  await page.getByLabel('Content').fill(CONTENT);
}

interface ConsolePictures {
  /** A link that signs in. */
  readonly link: string;
  /** Where the pictures are written. */
  readonly folder: string;
}

/** Takes a picture of every page of the console. */
export async function takeConsole(
  browser: Browser,
  { link, folder }: ConsolePictures,
): Promise<void> {
  const page = await browser.newPage(PAGE);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: /^Approvals/ }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  const home = page.url().replace(/\/inbox.*$/, '');
  for (const [name, { path, isLoaded }] of Object.entries({ ...PAGES, ...STEPS })) {
    await page.goto(`${home}/${path}`);
    await isLoaded(page);
    await page.evaluate('document.fonts.ready');
    await page.screenshot({ path: join(folder, `console-${name}.png`) });
  }
  await page.close();
}
