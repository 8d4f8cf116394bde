import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { secretsOf } from '../../src/platform/config/secrets.ts';
import { linksOf, UNSUBSCRIBE } from '../../src/campaigns/compose/campaign-links.ts';
import type { Ground } from '../ground.ts';
import { frontdesk } from '../processes.ts';
import type { Finding, Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';
import { findChromium } from '../../test/support/find-chromium.ts';

const PAINT_AT_MOST_MS = 1_000;
const WEIGHT_AT_MOST_KB = 60;

const LATENCY_MS = 150;
/** 1.6 Mbit/s down, 0.75 Mbit/s up. */
const DOWN_BYTES_PER_S = 200_000;
const UP_BYTES_PER_S = 93_750;
const PROCESSOR_SLOWDOWN = 4;
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true } as const;
const PAINT = `performance.getEntriesByName('first-contentful-paint')`;

/** What the pages need; as JSON, which is YAML. */
const MANIFEST = {
  team: [{ key: 'anna', name: 'Anna Weber', email: 'anna@harbour.example' }],
  chat: { enabled: true },
  calendars: [
    {
      key: 'checkups',
      name: 'Check-ups',
      type: 'round-robin',
      timezone: 'Europe/Berlin',
      members: ['anna'],
      hours: { mon: ['09:00-17:00'], wed: ['09:00-17:00'], fri: ['09:00-17:00'] },
      types: [{ key: 'checkup', name: 'Check-up', slug: 'check-up', duration: 30 }],
    },
  ],
  forms: [
    {
      key: 'contact',
      name: 'Contact us',
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
        { name: 'note', label: 'How can we help?', type: 'textarea' },
      ],
    },
  ],
};

/** When customer pages first show something on a slow phone, and what they transfer until they are loaded. */
export const firstPaint: Scenario = {
  name: 'first-paint',
  async measure(ground) {
    const paths = await preparePages(ground);
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    try {
      const findings: Finding[] = [];
      for (const [what, path] of Object.entries(paths)) {
        findings.push(...(await measurePage(browser, what, ground.product.url + path, ground)));
      }
      return findings;
    } finally {
      await browser.close();
    }
  },
};

/** Sets the pages up, and returns their paths. */
async function preparePages(ground: Ground): Promise<Readonly<Record<string, string>>> {
  const { env, scratch, small, sql } = ground;
  const file = join(scratch, 'pages.yaml');
  await writeFile(file, JSON.stringify(MANIFEST));
  const options = ['-f', file, '--sub-account', small.id];
  const { ids } = await frontdesk(env, 'admin', 'apply', ...options);
  const { rows } = await sql.query<{ id: string }>(SENT, [small.id]);
  const secrets = secretsOf(Buffer.from(env['FRONTDESK_SECRET_KEY'] ?? '', 'base64'));
  const preferences = linksOf(UNSUBSCRIBE, secrets, '');
  return {
    booking: `/book/${small.id}/check-up`,
    form: `/f/${ids.forms.contact}`,
    chat: `/chat/demo?subAccountId=${small.id}`,
    preferences: preferences({ subAccountId: small.id, id: rows[0]?.id ?? '' }),
  };
}

/** A recipient of a mail, whose link the page of preferences needs. */
const SENT = `with campaign as (
    insert into campaigns (sub_account_id, id, channel, name, subject, content_html, layout,
      layout_html, status, created_at, updated_at)
    values ($1, gen_random_uuid(), 'email', 'Bench', 'Bench', '', 'bench', '', 'sent', now(), now())
    returning id
  )
  insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address, status)
  select $1, gen_random_uuid(), campaign.id, c.id, c.email, lower(c.email), 'sent'
  from campaign, contacts c
  where c.sub_account_id = $1 and c.email is not null and c.deleted_at is null limit 1
  returning id`;

async function measurePage(
  browser: Browser,
  what: string,
  url: string,
  { sizing }: Ground,
): Promise<Finding[]> {
  const visits: Visit[] = [];
  // The first visit warms the server up.
  for (let round = 0; round <= sizing.rounds; round += 1) {
    visits.push(await visit(browser, url));
  }
  const paints = visits.slice(1).map(({ paintMs }) => paintMs);
  return [
    {
      what: `${what}: first contentful paint`,
      unit: 'ms',
      product: median(paints),
      bound: { atMost: PAINT_AT_MOST_MS },
    },
    {
      what: `${what}: transferred`,
      unit: 'kB',
      product: Math.max(...visits.map(({ bytes }) => bytes)) / 1_000,
      bound: { atMost: WEIGHT_AT_MOST_KB },
    },
  ];
}

interface Visit {
  /** Milliseconds from the request to the first contentful paint. */
  readonly paintMs: number;
  /** Everything that was transferred until the page was loaded, with headers. */
  readonly bytes: number;
}

/** Visits a page like a customer who was never there: nothing is cached. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: DOWN_BYTES_PER_S,
    uploadThroughput: UP_BYTES_PER_S,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN });
  const response = await page.goto(url);
  if (!response?.ok()) {
    throw new Error(`${url} returned ${response?.status()}`);
  }
  await page.waitForFunction(`${PAINT}.length > 0`);
  const paintMs = Number(await page.evaluate(`${PAINT}[0].startTime`));
  await context.close();
  return { paintMs, bytes };
}
