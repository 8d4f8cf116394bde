import { CAMPAIGN, setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { apply } from '../support/manifest.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';

const WEEKLY = {
  key: 'weekly',
  name: 'Newsletter',
  list: 'clients',
  template: 'letter',
  subject: 'Hello',
  content: '<p>News</p>',
  repeat: '0 9 * * MON',
};

describe('a scheduled campaign', () => {
  const scheduled = async (service: TestService) => {
    await setUpCampaigns(service);
    const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
    const scheduledAt = service.clock().getTime() + 3_600_000;
    await service.call(`POST /api/v1/campaigns/${id}/schedule`, { body: { scheduledAt } });
    await service.events();
    return id as string;
  };

  test('is unscheduled, changed, and scheduled for another time', async ({ service }) => {
    const id = await scheduled(service);
    const { call } = await signInAs(service, 'admin');
    const { status, body } = await call(`POST ${V1}/campaigns/${id}/unschedule`);
    expect([status, body.data]).toMatchObject([200, { status: 'draft', scheduledAt: null }]);
    const changed = await call(`PATCH ${V1}/campaigns/${id}`, {
      body: { ...CAMPAIGN, subject: 'Later' },
    });
    expect(changed.status).toBe(200);
    const scheduledAt = service.clock().getTime() + 7_200_000;
    const again = await service.call(`POST /api/v1/campaigns/${id}/schedule`, {
      body: { scheduledAt },
    });
    expect(again.status).toBe(200);
    expect((await call(`GET ${V1}/campaigns/${id}`)).body.data).toMatchObject({
      status: 'scheduled',
      subject: 'Later',
      scheduledAt: new Date(scheduledAt).toISOString(),
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('is moved to another time', async ({ service }) => {
    const id = await scheduled(service);
    const { call, email } = await signInAs(service, 'admin');
    const move = (scheduledAt: number, of = id) =>
      call(`POST ${V1}/campaigns/${of}/reschedule`, { body: { scheduledAt } });
    const later = service.clock().getTime() + 7_200_000;
    const { status, body } = await move(later);
    expect([status, body.data]).toMatchObject([
      200,
      { status: 'scheduled', scheduledAt: new Date(later).toISOString() },
    ]);
    expect((await move(service.clock().getTime())).body.error.code).toBe('VALIDATION_ERROR');
    const { body: audit } = await call(`GET ${V1}/audit?recordId=${id}&actor=${email}`);
    expect(audit.data.map(({ operation }: any) => operation)).toEqual(['campaigns.reschedule']);
    await call(`POST ${V1}/campaigns/${id}/unschedule`);
    expect((await move(later)).body.error.code).toBe('invalid_status');
    expect(await service.eventNames()).toEqual([]);
  });

  test('is not deleted, but a draft is', async ({ service }) => {
    const id = await scheduled(service);
    const { call } = await signInAs(service, 'admin');
    const remove = () => call(`DELETE ${V1}/campaigns/${id}`);
    expect((await remove()).body.error.code).toBe('invalid_status');
    await call(`POST ${V1}/campaigns/${id}/unschedule`);
    expect((await remove()).body.data).toEqual({ id, deleted: true });
    expect((await call(`GET ${V1}/campaigns/${id}`)).status).toBe(404);
    expect((await remove()).status).toBe(404);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is the only kind that is unscheduled or moved, and a recurring run is none', async ({
    service,
  }) => {
    const run = await scheduled(service);
    const cancelled = await scheduled(service);
    const { call } = await signInAs(service, 'admin');
    await apply(service, { campaigns: [WEEKLY] });
    await service.database.rows(
      `update campaigns set recurring_campaign_id = r.id from recurring_campaigns r
       where campaigns.id = $1 and r.sub_account_id = campaigns.sub_account_id`,
      [run],
    );
    await call(`POST ${V1}/campaigns/${cancelled}/cancel`);
    for (const id of [run, cancelled]) {
      const { body } = await call(`POST ${V1}/campaigns/${id}/unschedule`);
      expect(body.error.code).toBe('invalid_status');
      const scheduledAt = service.clock().getTime() + 7_200_000;
      const moved = await call(`POST ${V1}/campaigns/${id}/reschedule`, { body: { scheduledAt } });
      expect(moved.body.error.code).toBe('invalid_status');
    }
  });
});
