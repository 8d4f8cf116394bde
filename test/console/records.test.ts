import { setUpForm } from '../forms/forms.support.ts';
import { calendarOf } from '../support/calendars.ts';
import { setUpCampaigns, newCampaign, CAMPAIGN, clients } from '../campaigns/campaigns.support.ts';
import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { nounOf, SUBSCRIPTION } from '../support/samples.ts';
import { signInAs } from '../support/people.ts';
import { applyTo, begin, contactIn, runsIn, workflowOf } from '../workflows/workflows.support.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';

/** Reads all pages of a list, two rows at a time. */
async function allPages(read: (query: string) => Promise<any>): Promise<any[]> {
  const rows: any[] = [];
  let cursor = '';
  for (;;) {
    const { body } = await read(`limit=2${cursor}`);
    expect(body.data.length).toBeLessThanOrEqual(2);
    rows.push(...body.data);
    if (!body.meta.hasMore) {
      return rows;
    }
    cursor = `&cursor=${body.meta.cursor}`;
  }
}

describe('the timeline of a contact', () => {
  const EMAIL = 'ada@example.com';

  /** A contact with records of several kinds, and another contact with some of them. */
  async function happened(service: TestService): Promise<string> {
    const { call, subAccountId, database } = service;
    const contactId = await contactIn(service, subAccountId, { email: EMAIL });
    const other = await contactIn(service, subAccountId, { email: 'other@example.com' });
    await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
    for (const of of [contactId, other]) {
      await begin(service, subAccountId, [of]);
      await call('POST /api/v1/tasks', { body: { title: 'Call  Ada\nback', contactId: of } });
      const chat = { contactId: of, channel: 'live_chat' };
      const conversation = (await call('POST /api/v1/conversations', { body: chat })).body.data.id;
      const message = { channel: 'live_chat', bodyText: 'x'.repeat(200) };
      await call(`POST /api/v1/conversations/${conversation}/messages`, { body: message });
    }
    await service.transact(subAccountId, OPERATOR, async (work) => {
      await suppressAddress(work, { channel: 'email', address: EMAIL, reason: 'unsubscribe' });
    });
    const campaign = await newCampaign(service);
    await database.rows(
      `insert into campaign_recipients (sub_account_id, id, campaign_id, contact_id, email, address,
         status, settled_at)
       select $1, gen_random_uuid(), $2, $3, $4 || n, $4 || n, status, now()
       from unnest(array['', 'x'], array['sent', 'failed']) as one (n, status)`,
      [subAccountId, campaign, contactId, EMAIL],
    );
    return contactId;
  }

  test('lists the records of this contact only, newest first', async ({ service }) => {
    const contactId = await happened(service);
    const { call } = await signInAs(service, 'viewer');
    const read = (query: string) => call(`GET ${V1}/contacts/${contactId}/timeline?${query}`);
    const { body } = await read('');
    const COLUMNS = ['kind', 'summary', 'status', 'parent'];
    const summaries = body.data.map((row: any) => COLUMNS.map((column) => row[column]));
    expect(summaries.toSorted()).toEqual([
      ['campaign', 'Hello Ada', null, expect.any(String)],
      ['consent', 'email', 'unsubscribe', null],
      ['message', 'x'.repeat(140), null, expect.any(String)],
      ['run', 'Flow', 'running', 'flow'],
      ['task', 'Call Ada back', 'todo', null],
    ]);
    const order = body.data.map(({ at, id }: any) => `${at} ${id}`);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(await allPages(read)).toEqual(body.data);
  });

  test('lists opportunities, submissions and appointments', async ({ service }) => {
    const { call, database } = service;
    const opportunity = await nounOf('/api/v1/opportunities').make(service);
    const { contactId } = (await call(`GET /api/v1/opportunities/${opportunity}`)).body.data;
    await setUpForm(service);
    await calendarOf(service);
    await database.rows(
      `insert into form_submissions (sub_account_id, id, form_id, contact_id, fields, created_at)
       select sub_account_id, gen_random_uuid(), id, $2, '{}', now() from forms
       where sub_account_id = $1`,
      [service.subAccountId, contactId],
    );
    await database.rows(
      `insert into appointments (sub_account_id, id, calendar_id, contact_id, title, start_time,
         end_time, status, assigned_at, created_at, updated_at)
       select $1, gen_random_uuid(), id, $2, 'Cleaning', now(), now() + interval '1 hour',
         'confirmed', now(), now(), now() from calendars where sub_account_id = $1`,
      [service.subAccountId, contactId],
    );
    const browser = await signInAs(service, 'agent');
    const { body } = await browser.call(`GET ${V1}/contacts/${contactId}/timeline`);
    const found = body.data.map(({ kind, summary, status }: any) => [kind, summary, status]);
    expect(body.data.filter((row: any) => row.startTime)).toMatchObject([{ kind: 'appointment' }]);
    expect(found.toSorted()).toEqual([
      ['appointment', 'Cleaning', 'confirmed'],
      ['opportunity', 'Implant, Lovelace', 'open'],
      ['submission', expect.any(String), null],
    ]);
  });

  test('is unknown for contacts of other sub-accounts', async ({ service }) => {
    const theirs = await contactIn(service, service.otherSubAccountId);
    const { call } = await signInAs(service, 'agent');
    for (const id of [theirs, crypto.randomUUID(), 'malformed']) {
      expect((await call(`GET ${V1}/contacts/${id}/timeline`)).status).toBe(404);
    }
  });
});

describe('campaigns in the console', () => {
  test('are listed with their progress, paused, resumed and cancelled', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const ids = [await newCampaign(service), await newCampaign(service)];
    const list = await allPages((query) => call(`GET ${V1}/campaigns?${query}`));
    expect(list.map(({ id }) => id)).toEqual(ids.toReversed());
    const [id = ''] = ids;
    await service.call(`POST /api/v1/campaigns/${id}/send`);
    const { body } = await call(`GET ${V1}/campaigns/${id}`);
    expect(body.data).toMatchObject({ id, status: 'sending', recipients: { pending: 2, sent: 0 } });
    const statusAfter = async (verb: string) =>
      (await call(`POST ${V1}/campaigns/${id}/${verb}`)).body.data?.status;
    await service.events();
    expect(await statusAfter('pause')).toBe('paused');
    const again = await call(`POST ${V1}/campaigns/${id}/pause`);
    expect(again.status).toBe(400);
    expect(again.body.error.code).toBe('invalid_status');
    expect(await statusAfter('resume')).toBe('sending');
    const cancelled = await call(`POST ${V1}/campaigns/${id}/cancel`);
    expect(cancelled.body.data).toMatchObject({
      status: 'cancelled',
      recipients: { pending: 0, skipped: 2 },
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('list their recipients by status', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const id = await newCampaign(service);
    await clients(service, ['jo@example.com', 'kim@example.com']);
    await service.call(`POST /api/v1/campaigns/${id}/send`);
    await service.database.rows(
      `update campaign_recipients set status = 'failed', error_code = 'bounced'
       where campaign_id = $1 and address = 'jo@example.com'`,
      [id],
    );
    const read = (status: string) => (query: string) =>
      call(`GET ${V1}/campaigns/${id}/recipients?${query}${status}`);
    expect((await allPages(read(''))).length).toBe(3);
    expect(await allPages(read('&status=failed'))).toMatchObject([
      { email: 'jo@example.com', status: 'failed', errorCode: 'bounced' },
    ]);
    expect((await read('&status=lost')('')).status).toBe(400);
  });

  test('show their mail as a contact of the audience gets it', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    await setUpCampaigns(service);
    const { body: made } = await service.call('POST /api/v1/campaigns', { body: CAMPAIGN });
    const preview = async () =>
      (await call(`GET ${V1}/campaigns/${made.data.id}/preview`)).body.data;
    expect((await preview()).subject).toBe('Hello Ada');
    await clients(service, ['grace@example.com']);
    const { subject, html, text } = await preview();
    expect(subject).toBe('Hello grace');
    expect(html).toContain('<p>Dear grace Guest, spring is here.</p>');
    expect(text).toContain('Dear grace Guest, spring is here.');
    expect(text).not.toContain('<');
  });
});

describe('workflows in the console', () => {
  test('are listed without the headers of their calls, with their runs', async ({ service }) => {
    const { subAccountId } = service;
    const { call } = await signInAs(service, 'admin');
    await applyTo(
      service,
      subAccountId,
      workflowOf([
        { http: { url: 'https://example.com/x', headers: { authorization: 'Bearer secret' } } },
        { wait: { for: '1h' } },
      ]),
    );
    const contacts = [1, 2, 3].map(() => contactIn(service, subAccountId));
    const ids = await begin(service, subAccountId, await Promise.all(contacts));
    const { body } = await call(`GET ${V1}/workflows`);
    expect(body.data).toMatchObject([{ slug: 'flow', running: 3, waiting: 0 }]);
    expect(JSON.stringify(body.data)).not.toMatch(/headers|Bearer/i);
    const runs = await allPages((query) => call(`GET ${V1}/workflows/flow/runs?${query}`));
    expect(runs.map(({ id }) => id)).toEqual(ids.toSorted().toReversed());
    expect((await call(`GET ${V1}/workflows/flow/runs?status=failed`)).body.data).toEqual([]);
    expect((await call(`GET ${V1}/workflows/none/runs`)).status).toBe(404);
  });

  test('cancel a run once', async ({ service }) => {
    const { subAccountId } = service;
    const { call, email } = await signInAs(service, 'admin');
    await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
    const contactId = await contactIn(service, subAccountId);
    const [id] = await begin(service, subAccountId, [contactId]);
    expect((await call(`GET ${V1}/runs/${id}`)).body.data).toMatchObject({
      id,
      workflow: 'flow',
      contactId,
      status: 'running',
      log: [],
    });
    await service.events();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(`POST ${V1}/runs/${id}/cancel`)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    const [run] = await runsIn(service, subAccountId);
    expect(run).toMatchObject({ status: 'cancelled', error: `cancelled by ${email}` });
    expect(await service.eventNames()).toEqual([]);
  });

  test('tell the steps for a contact without taking them', async ({ service }) => {
    const { subAccountId } = service;
    const { call } = await signInAs(service, 'admin');
    await applyTo(service, subAccountId, workflowOf([{ wait: { for: '1h' } }]));
    const contactId = await contactIn(service, subAccountId);
    await service.events();
    const dryRun = (body: object) => call(`POST ${V1}/workflows/flow/dry-run`, { body });
    const { body } = await dryRun({ contactId });
    expect(body.data).toMatchObject({ workflow: 'flow', contactId, steps: [{ step: 'wait' }] });
    expect(await runsIn(service, subAccountId)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
    const theirs = await contactIn(service, service.otherSubAccountId);
    expect((await dryRun({ contactId: theirs })).status).toBe(404);
  });
});

describe('deliveries in the console', () => {
  const subscribe = async ({ call }: TestService, key = 'full') => {
    const { body } = await call('POST /api/v1/webhooks', { key, body: SUBSCRIPTION });
    const sent = await call(`POST /api/v1/webhooks/${body.data.id}/test`, { key });
    return { id: body.data.id as string, delivery: sent.body.data.id as string };
  };

  test('are listed across all subscriptions of the sub-account', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const made = [await subscribe(service), await subscribe(service), await subscribe(service)];
    await subscribe(service, 'other');
    const read = (filter: string) =>
      allPages((query) => call(`GET ${V1}/deliveries?${query}${filter}`));
    const rows = await read('');
    expect(rows.map(({ id, subscriptionId }) => [id, subscriptionId])).toEqual(
      made.toReversed().map(({ id, delivery }) => [delivery, id]),
    );
    expect((await read('&status=pending&event=webhook.test')).length).toBe(3);
    expect(await read('&status=failed')).toEqual([]);
    expect(await read(`&since=${service.clock().getTime() + 60_000}`)).toEqual([]);
  });

  test('are sent again', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const { id, delivery } = await subscribe(service);
    const theirs = await subscribe(service, 'other');
    await service.events();
    const { status, body } = await call(`POST ${V1}/deliveries/${delivery}/retry`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      subscriptionId: id,
      subAccountId: service.subAccountId,
      event: 'webhook.test',
      attempt: 2,
      trigger: 'manual',
      status: 'pending',
    });
    for (const unknown of [theirs.delivery, crypto.randomUUID(), 'malformed']) {
      expect((await call(`POST ${V1}/deliveries/${unknown}/retry`)).status).toBe(404);
    }
    expect(await service.eventNames()).toEqual([]);
  });

  test('are replayed from a time in the past', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const { id } = await subscribe(service);
    const replay = (since: unknown) =>
      call(`POST ${V1}/webhooks/${id}/replay`, { body: { since } });
    const past = new Date(service.clock().getTime() - 60_000).toISOString();
    expect((await replay(past)).body.data).toEqual({
      subscriptionId: id,
      since: past,
      replayed: 0,
    });
    const count = await call(`GET ${V1}/webhooks/${id}/replay?since=${past}`);
    expect(count.body.data).toEqual({ all: 0, failed: 0 });
    const refused = await replay(service.clock().getTime() + 60_000);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('since');
  });
});
