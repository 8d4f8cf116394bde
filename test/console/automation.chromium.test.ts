import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { createClient } from '../../sdk/src/main.ts';
import { openBrowser } from '../support/browser.ts';
import { install, openConsole, type Installation } from '../support/console.ts';
import { axeFindings } from '../support/looks.ts';

const PATIENCE = { timeout: 60_000 };

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

const pageOf = (url: string, path: string) => `${url}/console/${place.subAccountId}/${path}`;

async function clientOf() {
  const { key } = await place.admin(
    `key create --sub-account ${place.subAccountId} --name Test --scopes contacts:write`,
  );
  return createClient({ baseUrl: await place.url(), apiKey: key });
}

/** The page has no findings in light, in dark and at 375 px, where it fits. */
async function inEveryLook(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 740 });
  expect(await axeFindings(page)).toEqual([]);
  const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(over)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** A campaign that is sent, whose recipients have the given statuses. */
async function sentCampaign(statuses: readonly string[]): Promise<string> {
  const { subAccountId: sub, database } = place;
  const campaign = newId(new Date());
  const { contacts } = await clientOf();
  await withClient(database.url, async (client) => {
    await client.query(
      `insert into campaigns (sub_account_id, id, channel, name, subject, content_html, layout,
         layout_html, status, started_at, finished_at, created_at, updated_at)
       values ($1, $2, 'email', 'Spring', 'Hello', '<p>Hello</p>', 'plain', '{{content}}', 'sent',
         now(), now(), now(), now())`,
      [sub, campaign],
    );
    for (const status of statuses) {
      const email = `${status}@example.com`;
      const { id } = await contacts.create({ firstName: 'Ada', lastName: status, email });
      await client.query(
        `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email,
           address, status, error_message, settled_at)
         values ($1, $2, $3, $4, $5, $5, $6, $7, now())`,
        [
          sub,
          newId(new Date()),
          campaign,
          id,
          email,
          status,
          status === 'failed' ? 'no mailbox' : null,
        ],
      );
    }
  });
  return campaign;
}

test('a campaign shows its recipients, by outcome, and why one got nothing', async () => {
  const campaign = await sentCampaign(['sent', 'failed', 'skipped']);
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(pageOf(url, `campaigns/${campaign}`));
  const recipients = page.getByRole('table', { name: 'Recipients' });
  await recipients.getByRole('row', { name: /sent@example.com Sent/ }).waitFor(PATIENCE);
  expect(await recipients.getByRole('row').count()).toBe(4);
  await inEveryLook(page);
  await page.getByRole('button', { name: /All recipients/ }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  const failed = recipients.getByRole('row', { name: /failed@example.com Failed no mailbox/ });
  await failed.waitFor(PATIENCE);
  await expect.poll(() => recipients.getByRole('row').count(), PATIENCE).toBe(2);
  await failed.getByRole('button', { name: 'Why?' }).click();
  await page.getByText('The mail failed: no mailbox.').waitFor(PATIENCE);
  await page.keyboard.press('Escape');
  await failed.getByRole('link', { name: 'Ada failed' }).click();
  await page.getByRole('heading', { name: 'Ada failed' }).waitFor(PATIENCE);
  expect(faults).toEqual([]);
});

const WORKFLOW = `channels:
  social_dm: { provider: http, apiBaseUrl: 'https://bridge.example/send', secret: swordfish }
workflows:
  - slug: new-lead
    name: New lead
    triggers:
      - { on: contact.created, where: { source: website } }
    steps:
      - { wait: { until: '09:00' } }
      - if: { field: lifecycleStage, equals: lead }
        then:
          - { addTag: hot }
        else:
          - { notify: { subject: 'No lead', body: 'Nothing to do.' } }
      - { createTask: { title: 'Call {{firstName}}', dueIn: 2d } }
      - { send: { channel: social_dm, body: 'We will call you.' } }
`;

async function applyWorkflow(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-workflow-'));
  try {
    const file = join(folder, 'workflow.yaml');
    await writeFile(file, WORKFLOW);
    await place.admin(`apply -f ${file} --sub-account ${place.subAccountId} --yes`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a workflow is tried for a contact', async () => {
  await applyWorkflow();
  const { contacts } = await clientOf();
  await contacts.create({ firstName: 'Grace', lastName: 'Hopper', dnd: { all: true } });
  const { page, url, faults } = await openConsole(browser, place);
  await page.goto(pageOf(url, 'workflows/new-lead'));
  await page.getByRole('button', { name: 'Try for a contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Try for a contact' });
  await dialog.getByRole('combobox', { name: 'Contact' }).fill('Grace');
  await page.getByRole('option', { name: 'Grace Hopper' }).click(PATIENCE);
  const steps = dialog.getByRole('list', { name: 'Steps' });
  await steps.getByText('Wait').first().waitFor(PATIENCE);
  await steps.getByText('Condition met').waitFor();
  await steps.getByText('Call Grace').waitFor();
  await steps.getByText('2 days').waitFor();
  const message = steps.getByRole('listitem').filter({ hasText: 'Send a message' });
  await message.getByText('Skipped', { exact: true }).waitFor();
  await message.getByText('is set to do not disturb').waitFor();
  // Each step has one time.
  expect(await steps.getByRole('time').count()).toBe(await steps.getByRole('listitem').count());
  await inEveryLook(page);
  expect(faults).toEqual([]);
});

test('a workflow shows what starts it and its steps with their branches', async () => {
  await applyWorkflow();
  for (const size of [
    {},
    { viewport: { width: 375, height: 740 }, colorScheme: 'dark' as const },
  ]) {
    const { page, url, faults } = await openConsole(browser, place, size);
    await page.goto(pageOf(url, 'workflows/new-lead?tab=steps'));
    await page.getByText('only if source = website').waitFor(PATIENCE);
    const steps = page.getByRole('list', { name: 'Steps', exact: true });
    await steps.getByText('until: 09:00').waitFor();
    await steps.getByRole('list', { name: 'If so' }).getByText('Add a tag hot').waitFor();
    await steps.getByRole('list', { name: 'Otherwise' }).getByText('No lead').waitFor();
    await steps.getByText('Due in: 2 days').waitFor();
    await steps.getByText('Channel: Other social networks').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(over)).toBe(0);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByText('No runs yet').waitFor();
    expect(faults).toEqual([]);
  }
});

test('waiting runs are cancelled, some or all, after a question that names their number', async () => {
  await applyWorkflow();
  const { contacts } = await clientOf();
  const { subAccountId: sub, database } = place;
  const people = await Promise.all(
    ['Ida', 'Joe', 'Kim', 'Lea'].map((firstName) =>
      contacts.create({ firstName, lastName: 'Runner' }),
    ),
  );
  const created = people.map((_, minute) => `2026-11-20T10:0${minute}:00Z`);
  await withClient(database.url, async (client) => {
    await client.query(
      `insert into workflow_runs (sub_account_id, id, workflow_id, version_id, contact_id, status,
         beside_others, trigger, data, depth, place, due_at, created_at, updated_at)
       select $1, new_id(), w.id, v.id, one.contact, 'waiting', false, 'contact.created', '{}', 0,
         '/0', now() + interval '1 day', one.at, one.at
       from workflows w
       join workflow_versions v on v.sub_account_id = $1 and v.workflow_id = w.id,
         unnest($2::uuid[], $3::timestamptz[]) as one (contact, at)
       where w.sub_account_id = $1 and w.slug = 'new-lead'`,
      [sub, people.map(({ id }) => id), created],
    );
  });
  const { page, url, faults } = await openConsole(browser, place, {
    viewport: { width: 375, height: 740 },
  });
  await page.goto(pageOf(url, 'workflows/new-lead'));
  const runs = page.getByRole('table', { name: 'Runs' });
  // The name leads to the contact; the rest of the row, to the run.
  await runs.getByRole('link', { name: 'Ida Runner' }).click(PATIENCE);
  await page.getByRole('heading', { level: 1, name: 'Ida Runner' }).waitFor(PATIENCE);
  await page.goBack();
  await runs.getByRole('checkbox').nth(1).press('Space', PATIENCE);
  await runs.getByRole('checkbox').nth(2).press('Space');
  const bar = page.getByRole('toolbar', { name: 'Selected runs' });
  await bar.getByText('2 selected').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Cancel 2 runs' }).click();
  // One of them ends before the answer.
  await withClient(database.url, async (client) => {
    await client.query(
      `update workflow_runs set status = 'completed', finished_at = now()
       where id = (select max(id::text)::uuid from workflow_runs where sub_account_id = $1)`,
      [sub],
    );
  });
  const asked = page.getByRole('dialog', { name: 'Cancel 2 runs of New lead?' });
  await asked.getByRole('button', { name: 'Keep running' }).waitFor();
  await asked.getByRole('button', { name: 'Cancel 2 runs' }).click();
  await page.getByText('1 run cancelled').waitFor(PATIENCE);
  await page.getByText('1 had ended before').waitFor();
  await page.getByRole('button', { name: 'Cancel all 2 waiting runs' }).click(PATIENCE);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 runs' }).click();
  await page.getByText('2 runs cancelled').waitFor(PATIENCE);
  await expect.poll(() => runs.getByText('Cancelled').count(), PATIENCE).toBe(3);
  expect(await page.getByRole('button', { name: /waiting run/ }).count()).toBe(0);
  expect(faults).toEqual([]);
});

test('a run shows its steps and why one was skipped in the language of the console', async () => {
  await applyWorkflow();
  const { contacts } = await clientOf();
  const { id: contact } = await contacts.create({ firstName: 'Marie', lastName: 'Curie' });
  const { subAccountId: sub, database } = place;
  const run = newId(new Date());
  await withClient(database.url, async (client) => {
    await client.query(
      `insert into workflow_runs (sub_account_id, id, workflow_id, version_id, contact_id, status,
         beside_others, trigger, data, depth, place, due_at, created_at, updated_at)
       select $1, $2, w.id, v.id, $3, 'waiting', false, 'contact.created', '{}', 0,
         '/0', '2030-11-26T19:00:00Z', now(), now()
       from workflows w
       join workflow_versions v on v.sub_account_id = $1 and v.workflow_id = w.id
       where w.sub_account_id = $1 and w.slug = 'new-lead' limit 1`,
      [sub, run, contact],
    );
    await client.query(
      `insert into tasks (sub_account_id, id, title, status, priority, created_at, updated_at)
       values ($1, $2, 'Call', 'todo', 'medium', now(), now())`,
      [sub, run],
    );
    await client.query(
      `insert into workflow_log (sub_account_id, id, run_id, place, step, outcome, detail, at)
       select $1, new_id(), $2::uuid, '/' || n, step, outcome, detail, now() + n * interval '1 s'
       from unnest(array['wait', 'if', 'createTask', 'send'],
         array['done', 'else', 'done', 'skipped'],
         array['until 2026-11-26T19:00:22.966Z', null, $2::uuid::text,
           'the contact opted out of this channel, or has do-not-disturb set'])
         with ordinality as one (step, outcome, detail, n)`,
      [sub, run],
    );
  });
  const { page, url, faults } = await openConsole(browser, place);
  await page.evaluate(`localStorage.setItem('frontdesk.locale', 'fr')`);
  await page.goto(pageOf(url, `workflows/new-lead/runs/${run}`));
  const steps = page.getByRole('list', { name: 'Étapes' });
  await steps.getByText('jusqu’au jeu. 26 nov.').waitFor(PATIENCE);
  await steps.getByText('Non remplie').waitFor();
  await steps.getByText('le contact s’est désinscrit de ce canal').waitFor();
  expect(await steps.getByRole('link').getAttribute('href')).toContain(`/tasks?task=${run}`);
  expect(await steps.textContent()).not.toMatch(/until|done|else|[\da-f]{8}-/);
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Pourquoi ?' }).click();
  const why = page.getByRole('dialog', { name: 'Pourquoi ?' });
  await why.getByText('L’étape 5 (send) a été ignorée').waitFor(PATIENCE);
  await why.getByText('L’exécution attend à l’étape 1').waitFor();
  expect(faults).toEqual([]);
});
