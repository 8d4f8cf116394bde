import type { JobContext } from '#core/job.ts';
import { mailCampaigns } from '../../src/campaigns/campaigns.jobs.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { dispatchDue, handleDispatchCampaigns } from '../../src/campaigns/dispatch-campaigns.ts';
import { scheduleCampaign } from '../../src/campaigns/schedule-campaign.ts';
import { resumeCampaign } from '../../src/campaigns/pause-resume-cancel.ts';
import { apply } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import {
  CAMPAIGN,
  campaignOf,
  clients,
  recipientsOf,
  MANIFEST,
  setUpCampaigns,
} from './campaigns.support.ts';

const HOUR_MS = 3_600_000;

/** Creates a scheduled campaign that became due the given time ago. */
async function due(service: TestService, agoMs: number): Promise<string> {
  const { transact, subAccountId, actor, database, clock } = service;
  const scheduledAt = clock().getTime() + HOUR_MS;
  const id = await transact(subAccountId, actor, (work) => createCampaign(work, CAMPAIGN));
  await transact(subAccountId, actor, (work) => scheduleCampaign(work, id, { scheduledAt }));
  await database.rows(
    `update campaigns set scheduled_at = now() - $2 * interval '1 ms' where id = $1`,
    [id, agoMs],
  );
  return id;
}

const dispatched = async (service: TestService) =>
  (await dispatchDue(service, service.actor)).filter(
    ({ subAccountId }) => subAccountId === service.subAccountId,
  );

test('a campaign whose worker was killed while the clock was ahead is sent on', async ({
  service,
}) => {
  await setUpCampaigns(service);
  await clients(service, ['ada@example.com']);
  await due(service, 0);
  await dispatched(service);
  const { database, subAccountId } = service;
  const key = `${mailCampaigns.name}:${subAccountId}`;
  await database.rows('select graphile_worker.remove_job($1)', [key]);
  await database.rows(
    `insert into campaign_turns (sub_account_id, turn, turn_until)
     values ($1, $2, now() + interval '1 h')`,
    [subAccountId, crypto.randomUUID()],
  );
  const context = { ...service, log: { warn() {}, info() {} } } as unknown as JobContext;
  await handleDispatchCampaigns.handle({}, context);
  const jobs = await database.rows('select from graphile_worker.jobs where key = $1', [key]);
  expect(jobs).toHaveLength(1);
});

describe('a campaign that is due', () => {
  test('is started once, whatever the number of concurrent calls', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com', 'bob@example.com']);
    await service.events();
    const id = await due(service, 0);
    const rounds = await Promise.all(Array.from({ length: 5 }, () => dispatched(service)));
    expect(rounds.flat()).toEqual([
      { id, subAccountId: service.subAccountId, status: 'sending', heldBecause: null },
    ]);
    expect(await recipientsOf(service, id)).toHaveLength(2);
    expect(await dispatched(service)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is not started before its time by the database, whatever the clock of this process', async ({
    service,
  }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const id = await due(service, -60_000);
    service.clock.advance(12 * HOUR_MS);
    expect(await dispatched(service)).toEqual([]);
    expect((await campaignOf(service, id)).status).toBe('scheduled');
    service.clock.advance(-12 * HOUR_MS);
  });

  test('is started although an earlier one fails', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const broken = await due(service, 60_000);
    const id = await due(service, 0);
    const { database } = service;
    await database.rows(`alter table campaign_recipients
      add constraint breaks_one check (campaign_id <> '${broken}') not valid`);
    try {
      await expect(dispatched(service)).rejects.toThrow('breaks_one');
      expect((await campaignOf(service, broken)).status).toBe('scheduled');
      expect((await campaignOf(service, id)).status).toBe('sending');
    } finally {
      await database.rows('alter table campaign_recipients drop constraint breaks_one');
    }
    await dispatched(service);
    expect((await campaignOf(service, broken)).status).toBe('sending');
  });

  test('is started although more than a page of earlier ones fail', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const { database } = service;
    const broken = await due(service, 60_000);
    await database.rows(
      `insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', new_id()))).*
       from campaigns c, generate_series(1, 120) where c.id = $1`,
      [broken],
    );
    const id = await due(service, 0);
    await database.rows(`alter table campaign_recipients
      add constraint breaks_many check (campaign_id = '${id}') not valid`);
    try {
      await expect(dispatched(service)).rejects.toThrow('breaks_many');
      expect((await campaignOf(service, id)).status).toBe('sending');
    } finally {
      await database.rows('alter table campaign_recipients drop constraint breaks_many');
    }
    const started = await dispatched(service);
    expect(started.map(({ status }) => status)).toEqual(
      Array.from({ length: 121 }, () => 'sending'),
    );
  });

  test('more than six hours late is held, and is sent when it is resumed', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const almost = await due(service, 6 * HOUR_MS - 60_000);
    const late = await due(service, 6 * HOUR_MS + 60_000);
    await dispatched(service);
    expect(await campaignOf(service, almost)).toEqual({ status: 'sending', heldBecause: null });
    expect(await campaignOf(service, late)).toEqual({ status: 'held', heldBecause: 'late' });
    expect(await recipientsOf(service, late)).toEqual([]);
    await service.transact(service.subAccountId, service.actor, (work) =>
      resumeCampaign(work, late),
    );
    expect(await campaignOf(service, late)).toEqual({ status: 'sending', heldBecause: null });
    expect(await recipientsOf(service, late)).toHaveLength(1);
  });

  test('is held if its list or the feature was removed', async ({ service }) => {
    await setUpCampaigns(service);
    const [list] = MANIFEST.lists;
    const id = await due(service, 0);
    await setUpCampaigns(service, { lists: [{ ...list, active: false }] });
    await dispatched(service);
    expect(await campaignOf(service, id)).toEqual({ status: 'held', heldBecause: 'list_required' });
    await setUpCampaigns(service);
    const other = await due(service, 0);
    await apply(service, { subAccount: { features: [] } });
    await dispatched(service);
    const heldBecause = 'feature_unavailable';
    expect(await campaignOf(service, other)).toEqual({ status: 'held', heldBecause });
  });
});
