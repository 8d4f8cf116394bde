import { deleteSubAccount } from '../../../src/accounts/sub-accounts/delete-sub-account.ts';
import { dispatchDue } from '../../../src/campaigns/dispatch-campaigns.ts';
import { listAllCampaigns } from '../../../src/campaigns/list-all-campaigns.ts';
import { findCampaigns } from './recurring.support.ts';
import { runRecurring } from '../../../src/campaigns/recurring/run-recurring.ts';
import { apply } from '../../support/manifest.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';
import { clients, MANIFEST, recipientsOf } from '../campaigns.support.ts';

const HOUR_MS = 3_600_000;

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

const setUp = (service: TestService, ...entries: readonly object[]) =>
  apply(service, { ...MANIFEST, campaigns: entries.map((entry) => ({ ...WEEKLY, ...entry })) });

/** Sets the next tick of a recurring campaign to the given time before now, on the minute. */
async function overdue(service: TestService, agoMs: number, key = 'weekly'): Promise<Date> {
  const tick = new Date(Date.now() - agoMs);
  tick.setUTCSeconds(0, 0);
  const { rows } = service.database;
  const runs = await rows<{ id: string; at: string }>(
    `select id, (scheduled_at - interval '1 day')::text as at from campaigns
     where sub_account_id = $1`,
    [service.subAccountId],
  );
  for (const { id, at } of runs) {
    await rows('update campaigns set scheduled_at = $3 where sub_account_id = $1 and id = $2', [
      service.subAccountId,
      id,
      at,
    ]);
  }
  await rows(
    `update recurring_campaigns set next_at = $3, last_tick_at = null
     where sub_account_id = $1 and key = $2`,
    [service.subAccountId, key, tick],
  );
  return tick;
}

/** The last tick of HOURLY: the next one is due long after the tests, in whichever minute they begin. */
const LAST_TICK = new Date(Date.now() - 5 * 60_000);
LAST_TICK.setUTCSeconds(0, 0);
const HOURLY = { repeat: `${LAST_TICK.getUTCMinutes()} * * * *`, timezone: 'UTC' };

/** Runs the ticks that are due; returns those of the sub-account. */
const ran = async (service: TestService) =>
  (await runRecurring(service, service.actor)).filter(
    ({ subAccountId }) => subAccountId === service.subAccountId,
  );

const rowOf = async ({ database, subAccountId }: TestService, key = 'weekly') => {
  const [row] = await database.rows<{
    nextAt: Date;
    lastTickAt: Date | null;
    lastError: string | null;
  }>(
    `select next_at as "nextAt", last_tick_at as "lastTickAt", last_error as "lastError"
     from recurring_campaigns where sub_account_id = $1 and key = $2`,
    [subAccountId, key],
  );
  return row!;
};

describe('a tick', () => {
  test('makes one campaign with recipients of its own, named by its local time', async ({
    service,
  }) => {
    await setUp(service, {});
    await clients(service, ['ada@example.com', 'bob@example.com']);
    await service.events();
    await service.database.rows(
      'update recurring_campaigns set repeat = $2, next_at = $3 where sub_account_id = $1',
      [service.subAccountId, HOURLY.repeat, LAST_TICK],
    );
    const [tick] = await ran(service);
    expect(tick).toMatchObject({ recurring: 'weekly', error: null });
    const { lastTickAt, nextAt } = await rowOf(service);
    await dispatchDue(service, service.actor);
    const [campaign] = await findCampaigns(service);
    const local = new Intl.DateTimeFormat('sv', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(lastTickAt!);
    expect(campaign).toMatchObject({
      id: tick?.campaignId,
      name: `Newsletter (${local})`,
      subject: 'Hello {{firstName}}',
      status: 'sending',
      scheduledAt: lastTickAt,
    });
    expect(await recipientsOf(service, campaign!.id)).toHaveLength(2);
    expect(nextAt.getTime() - lastTickAt!.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
    expect(await ran(service)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('runs once, whatever the number of workers', async ({ service }) => {
    await setUp(service, HOURLY);
    await clients(service, ['ada@example.com']);
    for (let round = 1; round <= 20; round += 1) {
      await overdue(service, HOUR_MS + round * 60_000);
      await service.database.rows(`delete from campaign_recipients where sub_account_id = $1`, [
        service.subAccountId,
      ]);
      await service.database.rows(`delete from campaigns where sub_account_id = $1`, [
        service.subAccountId,
      ]);
      const rounds = await Promise.all(Array.from({ length: 5 }, () => ran(service)));
      expect(rounds.flat()).toHaveLength(1);
      expect(await findCampaigns(service)).toHaveLength(1);
    }
  });

  test('that no worker saw runs once if it is less than six hours late: of several, the last', async ({
    service,
  }) => {
    await setUp(service, HOURLY);
    await clients(service, ['ada@example.com']);
    await overdue(service, 48 * HOUR_MS);
    expect(await ran(service)).toHaveLength(1);
    const [campaign, ...others] = await findCampaigns(service);
    expect(others).toEqual([]);
    expect(campaign?.scheduledAt).toEqual(LAST_TICK);
    expect(await ran(service)).toEqual([]);
  });

  test('that is more than six hours late is skipped, which the entry shows', async ({
    service,
  }) => {
    const tick = new Date();
    tick.setUTCHours(tick.getUTCHours() - 8, 0, 0, 0);
    await setUp(service, { repeat: `0 ${tick.getUTCHours()} * * *`, timezone: 'UTC' });
    await service.database.rows(
      'update recurring_campaigns set next_at = $2 where sub_account_id = $1',
      [service.subAccountId, tick],
    );
    expect(await ran(service)).toMatchObject([{ campaignId: null, error: 'late' }]);
    expect(await findCampaigns(service)).toEqual([]);
    const row = await rowOf(service);
    expect(row).toMatchObject({ lastTickAt: tick, lastError: 'late' });
    expect(row.nextAt.getTime()).toBe(tick.getTime() + 24 * HOUR_MS);
  });

  test('five hours late still runs', async ({ service }) => {
    const late = new Date(Date.now() - 5 * HOUR_MS);
    late.setUTCSeconds(0, 0);
    const repeat = `${late.getUTCMinutes()} ${late.getUTCHours()} * * *`;
    await setUp(service, { repeat, timezone: 'UTC' });
    await service.database.rows(
      'update recurring_campaigns set next_at = $2 where sub_account_id = $1',
      [service.subAccountId, late],
    );
    await ran(service);
    await dispatchDue(service, service.actor);
    expect(await findCampaigns(service)).toMatchObject([{ status: 'sending', scheduledAt: late }]);
  });
});

test('a tick that ran is not repeated, even if the plan says so', async ({ service }) => {
  await setUp(service, HOURLY);
  await overdue(service, HOUR_MS);
  const [first] = await ran(service);
  expect(first?.campaignId).toEqual(expect.any(String));
  await service.database.rows(
    'update recurring_campaigns set next_at = last_tick_at where sub_account_id = $1',
    [service.subAccountId],
  );
  expect(await ran(service)).toEqual([]);
  expect(await findCampaigns(service)).toMatchObject([{ scheduledAt: LAST_TICK }]);
});

describe('a tick that cannot send', () => {
  test('does not stop the others and the later ones: no contact, no list, no template', async ({
    service,
  }) => {
    await setUp(
      service,
      { ...HOURLY, key: 'a-empty', list: 'chosen' },
      { ...HOURLY, key: 'b-listless' },
      { ...HOURLY, key: 'c-bare' },
      { ...HOURLY, key: 'd-fine' },
    );
    await clients(service, ['ada@example.com']);
    for (const key of ['a-empty', 'b-listless', 'c-bare', 'd-fine']) {
      await overdue(service, HOUR_MS, key);
    }
    const { database, subAccountId } = service;
    await database.rows(
      `update recurring_campaigns set list_id = null where sub_account_id = $1 and key = 'b-listless'`,
      [subAccountId],
    );
    await database.rows(
      `update recurring_campaigns set template_id = null where sub_account_id = $1 and key = 'c-bare'`,
      [subAccountId],
    );
    const ticks = await ran(service);
    expect(ticks.map(({ recurring, error }) => [recurring, error])).toEqual([
      ['a-empty', null],
      ['b-listless', null],
      ['c-bare', 'layout_not_found'],
      ['d-fine', null],
    ]);
    await dispatchDue(service, service.actor);
    const shown = await service.database.rows<{
      key: string;
      status: string;
      reason: string | null;
    }>(
      `select r.key, c.status, c.held_because as reason from campaigns c
       join recurring_campaigns r
         on r.sub_account_id = c.sub_account_id and r.id = c.recurring_campaign_id
       where c.sub_account_id = $1 order by r.key`,
      [subAccountId],
    );
    expect(shown).toEqual([
      { key: 'a-empty', status: 'sending', reason: null },
      { key: 'b-listless', status: 'held', reason: 'list_required' },
      { key: 'd-fine', status: 'sending', reason: null },
    ]);
    const listed = await listAllCampaigns(service.openView(subAccountId, new Date()), {
      subAccountId,
    });
    expect(
      Object.fromEntries(listed.map(({ recurring, problem }) => [recurring, problem])),
    ).toEqual({ 'a-empty': 'empty_audience', 'b-listless': 'list_required', 'd-fine': null });
    await overdue(service, HOUR_MS, 'c-bare');
    await overdue(service, HOUR_MS, 'd-fine');
    expect((await ran(service)).map(({ recurring, error }) => [recurring, error])).toEqual([
      ['c-bare', 'layout_not_found'],
      ['d-fine', null],
    ]);
  });

  test('makes no campaign without the feature, for an inactive entry, or for a closed sub-account', async ({
    service,
  }) => {
    await setUp(service, HOURLY);
    await apply(service, { subAccount: { features: ['other'] } });
    await overdue(service, HOUR_MS);
    expect(await ran(service)).toMatchObject([{ campaignId: null, error: 'feature_unavailable' }]);
    await apply(service, { subAccount: {} });
    await setUp(service, { ...HOURLY, active: false });
    await overdue(service, HOUR_MS);
    expect(await ran(service)).toEqual([]);
    await setUp(service, HOURLY);
    await overdue(service, HOUR_MS);
    const { transact, subAccountId, actor } = service;
    await transact(subAccountId, actor, (work) => deleteSubAccount(work));
    expect(await ran(service)).toEqual([]);
    expect(await findCampaigns(service)).toEqual([]);
  });
});

describe('the plan', () => {
  test('follows the manifest at once, and ticks from before a change are not caught up', async ({
    service,
  }) => {
    await setUp(service, {});
    const first = (await rowOf(service)).nextAt;
    expect(first.getTime()).toBeGreaterThan(Date.now());
    expect(first.getUTCDay()).toBe(1);
    await setUp(service, { repeat: '0 9 * * TUE' });
    expect((await rowOf(service)).nextAt.getUTCDay()).toBe(2);
    await setUp(service, { active: false });
    await overdue(service, 120_000);
    await setUp(service, {});
    expect((await rowOf(service)).nextAt).toEqual(first);
    expect(await ran(service)).toEqual([]);
  });

  test('is that of the sub-account’s time zone if the entry has none', async ({ service }) => {
    await apply(service, { subAccount: { timezone: 'Asia/Tokyo' } });
    await setUp(service, { timezone: null, repeat: '0 9 * * *' });
    expect((await rowOf(service)).nextAt.getUTCHours()).toBe(0);
    await apply(service, { subAccount: { timezone: 'America/Argentina/Buenos_Aires' } });
    expect(await ran(service)).toEqual([]);
    expect((await rowOf(service)).nextAt.getUTCHours()).toBe(12);
  });
});
