import { fire } from '../webhooks/subscriptions/subscriptions.support.ts';
import { contactId } from '../support/console-records.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';

const V1 = '/console/api/v1';

describe('the events in the console', () => {
  test('begin with the newest, and continue where the page ended', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const ids = [await fire(service), await fire(service), await fire(service)];
    // Reading the feed publishes them.
    await service.call('GET /api/v1/events');
    const first = await call(`GET ${V1}/events/latest?limit=2`);
    expect(first.body.data.map((one: any) => one.contactId)).toEqual([ids[2], ids[1]]);
    expect(first.body.meta.hasMore).toBe(true);
    await fire(service);
    await service.call('GET /api/v1/events');
    const next = await call(`GET ${V1}/events/latest?limit=2&cursor=${first.body.meta.cursor}`);
    expect(next.body.data[0].contactId).toBe(ids[0]);
    expect(next.body.meta).toMatchObject({ hasMore: false, cursor: null });
  });

  test('name their record, and are found by their name', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const contact = await contactId(service);
    const task = await service.call('POST /api/v1/tasks', {
      body: { title: 'Call back', contactId: contact },
    });
    await service.call('GET /api/v1/events');
    const { body } = await call(`GET ${V1}/events/latest?event=task.created`);
    expect(body.data).toMatchObject([
      {
        event: 'task.created',
        contactId: contact,
        contactName: expect.stringContaining(' '),
        title: 'Call back',
        recordId: task.body.data.id,
      },
    ]);
    const one = await call(`GET ${V1}/events/${body.data[0].id}`);
    expect(one.body.data).toMatchObject({
      event: 'task.created',
      data: { subAccountId: service.subAccountId, title: 'Call back' },
      runs: [],
    });
    expect((await call(`GET ${V1}/events/latest?event=task.gone`)).status).toBe(400);
    const unknown = await call(`GET ${V1}/events/${crypto.randomUUID()}`);
    expect(unknown.status).toBe(404);
  });

  test('do not show names to members who may not read contacts', async ({ service }) => {
    await contactId(service);
    await service.call('GET /api/v1/events');
    const { call } = await signInAs(service, 'integrator');
    const { body } = await call(`GET ${V1}/events/latest?event=contact.created`);
    expect(body.data[0]).toMatchObject({ contactId: expect.any(String), contactName: null });
  });
});
