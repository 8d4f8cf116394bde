import { listRecurring } from '../../../src/campaigns/recurring/list-recurring.ts';
import { apply, exported, run } from '../../support/manifest.ts';
import { describe, expect, test } from '../../support/service.ts';
import { MANIFEST } from '../campaigns.support.ts';

const WEEKLY = {
  key: 'weekly',
  name: 'Newsletter',
  list: 'clients',
  template: 'letter',
  subject: 'Hello {{firstName}}',
  content: '<p>News</p>',
  repeat: '0 9 * * MON',
  timezone: 'Europe/Berlin',
};
const WHOLE = { ...MANIFEST, campaigns: [WEEKLY] };

describe('recurring campaigns in the manifest', () => {
  test('round-trip through an export, and applying them again changes nothing', async ({
    service,
  }) => {
    const made = await apply(service, WHOLE);
    expect((made.ids as any).campaigns.weekly).toMatch(/^[\da-f-]{36}$/);
    await service.events();
    const manifest = await exported(service);
    expect(manifest.campaigns).toEqual([{ ...WEEKLY, active: true }]);
    const again = await apply(service, manifest);
    expect([again.created, again.updated]).toMatchObject([expect.anything(), expect.anything()]);
    expect(JSON.stringify(again)).not.toContain('"campaigns/weekly"');
    expect(await service.eventNames()).toEqual([]);
  });

  test('are removed by --prune, and their runs stay', async ({ service }) => {
    await apply(service, WHOLE);
    await apply(service, { ...MANIFEST, campaigns: [] }, { prune: true });
    const { openView, subAccountId } = service;
    expect(await listRecurring(openView(subAccountId, new Date()), subAccountId)).toEqual([]);
  });

  test.for([
    [{ repeat: 'every Monday' }, '/campaigns/0/repeat', 'five fields'],
    [{ repeat: '0 9 29 2 MON' }, '/campaigns/0/repeat', 'no such day'],
    [{ list: 'nothing' }, '/campaigns/0/list', 'nothing'],
    [{ template: 'nothing' }, '/campaigns/0/template', 'nothing'],
    [{ timezone: 'Mars/Olympus' }, '/campaigns/0/timezone', 'time zone'],
    [{ content: ' ' }, '/campaigns/0/content', 'blank'],
    [{ color: 'red' }, '/campaigns/0/color', ''],
  ] as const)('%j is refused at %s', async ([wrong, path, message], { service }) => {
    const refused = apply(service, { ...MANIFEST, campaigns: [{ ...WEEKLY, ...wrong }] });
    await expect(refused).rejects.toThrow(new RegExp(`${path}[^]*${message}`));
    expect(await exported(service)).not.toHaveProperty('campaigns.0');
  });

  test('are listed with their next run and why the last one sent nothing', async ({ service }) => {
    await apply(service, {
      ...MANIFEST,
      campaigns: [WEEKLY, { ...WEEKLY, key: 'off', active: false }],
    });
    const { openView, subAccountId, database } = service;
    await database.rows(
      `update recurring_campaigns set last_error = 'late', last_tick_at = '2026-11-16T08:00Z'
       where sub_account_id = $1 and key = 'weekly'`,
      [subAccountId],
    );
    expect(await listRecurring(openView(subAccountId, new Date()), subAccountId)).toMatchObject([
      {
        key: 'weekly',
        list: 'clients',
        template: 'letter',
        timezone: 'Europe/Berlin',
        active: true,
        nextRunAt: expect.stringMatching(/T0[78]:00:00\.000Z$/),
        lastRunAt: '2026-11-16T08:00:00.000Z',
        lastError: 'late',
        lastCampaign: null,
      },
      { key: 'off', active: false, nextRunAt: null },
    ]);
  });

  test('that run several times a day cause a warning', async ({ service }) => {
    const { cautions } = await run(service, {
      ...MANIFEST,
      campaigns: [{ ...WEEKLY, repeat: '*/10 * * * *' }],
    });
    expect(cautions).toEqual([expect.stringContaining('weekly runs 144 times a day')]);
  });
});
