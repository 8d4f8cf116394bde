import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { cancelCampaign } from '../../src/campaigns/pause-resume-cancel.ts';
import { apply } from '../support/manifest.ts';
import { describe, expect, test, type Answer, type TestService } from '../support/service.ts';
import {
  CAMPAIGN,
  campaignOf,
  clients,
  LAYOUT,
  recipientsOf,
  MANIFEST,
  setUpCampaigns,
} from './campaigns.support.ts';

const HOUR_MS = 3_600_000;

const create = (service: TestService, more: object = {}): Promise<Answer> =>
  service.call('POST /api/v1/campaigns', { body: { ...CAMPAIGN, ...more } });

const draft = async (service: TestService, more: object = {}): Promise<string> =>
  (await create(service, more)).body.data.id;

const send = (service: TestService, id: string) =>
  service.call(`POST /api/v1/campaigns/${id}/send`);

const schedule = (service: TestService, id: string, scheduledAt: unknown) =>
  service.call(`POST /api/v1/campaigns/${id}/schedule`, { body: { scheduledAt } });

const soon = ({ clock }: TestService) => clock().getTime() + HOUR_MS;

function expectRefusal({ status, body }: Answer, code: string, wanted = 400): void {
  expect({ status, code: body.error?.code }).toEqual({ status: wanted, code });
}

const layout = (html: string, more: object = {}) => ({
  templates: [{ key: 'letter', name: 'Newsletter', html, ...more }],
});

describe('creating a campaign', () => {
  test('returns a draft, sends no mail and fires no event', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    await service.events();
    const { status, body } = await create(service);
    expect(status).toBe(201);
    expect(body).toEqual({ data: { id: expect.any(String), status: 'draft' } });
    expect(await recipientsOf(service, body.data.id)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('twice makes two drafts', async ({ service }) => {
    await setUpCampaigns(service);
    expect(await draft(service)).not.toBe(await draft(service));
  });

  test('is refused if no template of the sub-account has the name of the layout', async ({
    service,
  }) => {
    await apply(service, MANIFEST, { to: service.otherSubAccountId });
    expectRefusal(await create(service), 'layout_not_found');
  });

  test.for(['', ' \n', '<p>nothing</p>', '{{content}}{{ content }}'])(
    'is refused if the layout is %j',
    async (html, { service }) => {
      await setUpCampaigns(service, { ...MANIFEST, ...layout(html, { defaultList: 'clients' }) });
      expectRefusal(await create(service), 'layout_invalid');
    },
  );

  test('uses the newest of several templates with the same name, and keeps a copy', async ({
    service,
  }) => {
    const [letter] = MANIFEST.templates;
    const older = { ...letter, key: 'older', html: '<b>{{content}}</b>' };
    await setUpCampaigns(service, { ...MANIFEST, templates: [older] });
    service.clock.advance(1_000);
    await setUpCampaigns(service, { templates: [letter] });
    const layoutOf = async (id: string) =>
      (await service.database.rows('select layout_html from campaigns where id = $1', [id]))[0];
    const first = await draft(service);
    expect(await layoutOf(first)).toEqual({ layout_html: LAYOUT });
    service.clock.advance(1_000);
    await setUpCampaigns(service, { templates: [{ ...older, html: '<i>{{content}}</i>' }] });
    expect(await layoutOf(await draft(service))).toEqual({ layout_html: '<i>{{content}}</i>' });
    expect(await layoutOf(first)).toEqual({ layout_html: LAYOUT });
  });

  test('is refused without a list, or if the default list is inactive', async ({ service }) => {
    await setUpCampaigns(service, layout(LAYOUT));
    expectRefusal(await create(service), 'list_required');
    const [list] = MANIFEST.lists;
    await setUpCampaigns(service, { ...MANIFEST, lists: [{ ...list, active: false }] });
    expectRefusal(await create(service), 'list_required');
  });

  test('is refused with the same error for an unknown, foreign or inactive list', async ({
    service,
  }) => {
    const inactive = { key: 'old', name: 'Old', active: false };
    const ids = await setUpCampaigns(service, {
      ...MANIFEST,
      lists: [...MANIFEST.lists, inactive],
    });
    const foreign = await apply(service, MANIFEST, { to: service.otherSubAccountId });
    const bodies = new Set<string>();
    for (const listId of [crypto.randomUUID(), (foreign.ids as any).lists.clients, ids['old']]) {
      const answer = await create(service, { listId });
      expectRefusal(answer, 'VALIDATION_ERROR');
      expect(answer.body.error.details.issues).toMatchObject([{ in: 'body', path: '/listId' }]);
      bodies.add(JSON.stringify(answer.body));
    }
    expect(bodies.size).toBe(1);
  });

  test('accepts no channel: campaigns of the API are sent by email', async ({ service }) => {
    await setUpCampaigns(service);
    expectRefusal(await create(service, { channel: 'sms' }), 'VALIDATION_ERROR');
  });

  test('needs the feature, like all other endpoints, if the sub-account has a list of features', async ({
    service,
  }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const id = await draft(service);
    await apply(service, { subAccount: { features: ['forms'] } });
    expectRefusal(await create(service), 'feature_unavailable', 403);
    expectRefusal(await send(service, id), 'feature_unavailable', 403);
    expectRefusal(await schedule(service, id, soon(service)), 'feature_unavailable', 403);
    await apply(service, { subAccount: { features: ['campaigns'] } });
    expect((await send(service, id)).status).toBe(200);
  });
});

describe('sending a campaign', () => {
  test('writes one recipient per address, and fires no event', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    const ids = await clients(service, ['ada@example.com', 'bob@example.com', 'cy@example.com']);
    await service.transact(service.subAccountId, service.actor, (work) =>
      suppressAddress(work, { channel: 'email', address: 'CY@example.com', reason: 'bounce' }),
    );
    const patch = (id: string | undefined, body: object) =>
      service.call(`PATCH /api/v1/contacts/${id}`, { body });
    await patch(ids['bob@example.com'], { dnd: { email: true } });
    const others = await clients(service, [
      'dee@example.com',
      'eve@example.com',
      'fay@example.com',
    ]);
    await patch(others['dee@example.com'], { dnd: { all: true } });
    await service.call(`DELETE /api/v1/contacts/${others['eve@example.com']}`);
    await patch(others['fay@example.com'], { tags: [] });
    await service.events();

    const id = await draft(service, { listId: lists['clients'] });
    const { status, body } = await send(service, id);
    expect([status, body]).toEqual([200, { data: { id, status: 'sending' } }]);
    expect(await recipientsOf(service, id)).toMatchObject([
      { address: 'ada@example.com', status: 'pending' },
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is refused with an empty audience, and changes nothing', async ({ service }) => {
    const lists = await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const id = await draft(service, { listId: lists['chosen'] });
    expectRefusal(await send(service, id), 'empty_audience');
    expect((await campaignOf(service, id)).status).toBe('draft');
  });

  test('is refused once its list is inactive or gone, and changes nothing', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const id = await draft(service);
    const [list, chosen] = MANIFEST.lists;
    await setUpCampaigns(service, { lists: [{ ...list, active: false }] });
    expectRefusal(await send(service, id), 'list_required');
    expectRefusal(await schedule(service, id, soon(service)), 'list_required');
    await apply(service, { lists: [chosen] }, { prune: true });
    expectRefusal(await send(service, id), 'list_required');
    expect((await campaignOf(service, id)).status).toBe('draft');
  });

  test('is refused a second time, and after a cancel', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const id = await draft(service);
    const answers = await Promise.all([send(service, id), send(service, id)]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400']);
    expectRefusal(await send(service, id), 'invalid_status');
    expectRefusal(await schedule(service, id, soon(service)), 'invalid_status');
    expect(await recipientsOf(service, id)).toHaveLength(1);
    const other = await draft(service);
    await service.transact(service.subAccountId, service.actor, (work) =>
      cancelCampaign(work, other),
    );
    expectRefusal(await send(service, other), 'invalid_status');
    expectRefusal(await schedule(service, other, soon(service)), 'invalid_status');
  });

  test('is refused for a channel other than email', async ({ service }) => {
    await setUpCampaigns(service);
    await clients(service, ['ada@example.com']);
    const id = await service.transact(service.subAccountId, service.actor, (work) =>
      createCampaign(work, { ...CAMPAIGN, channel: 'sms' }),
    );
    expectRefusal(await send(service, id), 'channel_unsupported');
    expectRefusal(await schedule(service, id, soon(service)), 'channel_unsupported');
  });
});

describe('scheduling a campaign', () => {
  test('works once, also with an empty list, and the campaign can still be sent at once', async ({
    service,
  }) => {
    await setUpCampaigns(service);
    const id = await draft(service);
    const { status, body } = await schedule(service, id, soon(service));
    expect([status, body]).toEqual([200, { data: { id, status: 'scheduled' } }]);
    expectRefusal(await schedule(service, id, soon(service)), 'invalid_status');
    expectRefusal(await send(service, id), 'empty_audience');
    expect((await campaignOf(service, id)).status).toBe('scheduled');
    await clients(service, ['ada@example.com']);
    expect((await send(service, id)).body.data.status).toBe('sending');
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('is refused for a time in seconds, in the past, or as text', async ({ service }) => {
    await setUpCampaigns(service);
    const id = await draft(service);
    const now = service.clock().getTime();
    for (const at of [
      Math.round(soon(service) / 1_000),
      now - 1_000,
      0,
      -1,
      1.5,
      '2027-01-01',
      null,
    ]) {
      const answer = await schedule(service, id, at);
      expectRefusal(answer, 'VALIDATION_ERROR');
      expect(answer.body.error.details.issues[0].path).toBe('/scheduledAt');
    }
    expect((await campaignOf(service, id)).status).toBe('draft');
  });
});
