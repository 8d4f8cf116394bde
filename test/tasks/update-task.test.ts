import { describe, expect, test } from '../support/service.ts';
import {
  deadContacts,
  deadDeals,
  newContact,
  newDeal,
  newMember,
  newTask,
  taskOf,
} from './tasks.support.ts';

const DUE = 1_796_137_200_000;

describe('PATCH /api/v1/tasks/{id}', () => {
  test('changes only the given fields, and fires only task.updated', async ({ service }) => {
    const contactId = await newContact(service, { tags: ['vip'] });
    const before = await newTask(service, { contactId, priority: 'low' });
    const { status, body } = await service.call(`PATCH /api/v1/tasks/${before.id}`, {
      body: { priority: 'high', title: 'Call Ada now', description: null },
    });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...before,
      title: 'Call Ada now',
      priority: 'high',
      updatedAt: expect.any(String),
    });
    expect(await service.events()).toEqual([
      {
        name: 'task.updated',
        contactId,
        data: {
          taskId: before.id,
          title: 'Call Ada now',
          status: 'todo',
          priority: 'high',
          changedFields: ['title', 'priority'],
          tags: ['vip'],
        },
      },
    ]);
  });

  test('lists every changed field once, in order', async ({ service }) => {
    const { id } = await newTask(service);
    const contactId = await newContact(service);
    const fields = {
      dealId: await newDeal(service, contactId),
      contactId,
      assignedTo: await newMember(service, 'anna'),
      dueDate: DUE,
      priority: 'urgent',
      status: 'in_review',
      description: 'About the quote',
      title: 'Other',
    };
    const { body } = await service.call(`PATCH /api/v1/tasks/${id}`, { body: fields });
    expect(body.data).toMatchObject(fields);
    const [updated, ...others] = await service.events();
    expect([updated?.name, updated?.contactId, others]).toEqual(['task.updated', contactId, []]);
    expect(updated?.data.changedFields).toEqual(Object.keys(fields).toReversed());

    const cleared = {
      description: null,
      dueDate: null,
      assignedTo: null,
      contactId: null,
      dealId: null,
    };
    const reply = await service.call(`PATCH /api/v1/tasks/${id}`, { body: cleared });
    expect(reply.body.data).toMatchObject(cleared);
    expect(await service.events()).toMatchObject([
      { name: 'task.updated', contactId: null, data: { changedFields: Object.keys(cleared) } },
    ]);
  });

  test.for([
    ['nothing', () => ({})],
    [
      'the current value',
      ({ title, description, status, priority, dueDate, contactId, dealId }: any) => {
        return { title, description, status, priority, dueDate, contactId, dealId };
      },
    ],
    ['an id in capital letters', ({ contactId }: any) => ({ contactId: contactId.toUpperCase() })],
  ] as const)('with %s, returns 200 and emits nothing', async ([, bodyOf], { service }) => {
    const contactId = await newContact(service);
    const before = await newTask(service, { contactId, dueDate: DUE, description: 'd' });
    const reply = await service.call(`PATCH /api/v1/tasks/${before.id}`, { body: bodyOf(before) });

    expect([reply.status, reply.body.data]).toEqual([200, before]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('completed: sets completedAt, fires task.updated and then task.completed', async ({
    service,
  }) => {
    const { id } = await newTask(service, { priority: 'high' });
    const before = Date.now();
    const { body } = await service.call(`PATCH /api/v1/tasks/${id}`, {
      body: { status: 'completed' },
    });

    const { completedAt } = body.data;
    expect(body.data.status).toBe('completed');
    expect(completedAt).toBeGreaterThanOrEqual(before);
    expect(completedAt).toBe(Date.parse(body.data.updatedAt));
    const facts = { taskId: id, title: 'Call Ada back', status: 'completed', priority: 'high' };
    expect(await service.events()).toEqual([
      { name: 'task.updated', contactId: null, data: { ...facts, changedFields: ['status'] } },
      { name: 'task.completed', contactId: null, data: { ...facts, completedAt } },
    ]);

    const again = await service.call(`PATCH /api/v1/tasks/${id}`, {
      body: { status: 'completed' },
    });
    expect([again.status, again.body.data]).toEqual([200, body.data]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('another field of a completed task keeps completedAt and fires only task.updated', async ({
    service,
  }) => {
    const { id, completedAt } = await newTask(service, { status: 'completed' });
    const { body } = await service.call(`PATCH /api/v1/tasks/${id}`, { body: { title: 'Other' } });
    expect(body.data).toMatchObject({ status: 'completed', completedAt });
    expect(await service.events()).toMatchObject([
      { name: 'task.updated', data: { changedFields: ['title'] } },
    ]);
  });

  test.for(['todo', 'in_review', 'cancelled'])(
    'from completed to %s: clears completedAt and fires only task.updated',
    async (status, { service }) => {
      const { id } = await newTask(service, { status: 'completed' });
      const { body } = await service.call(`PATCH /api/v1/tasks/${id}`, { body: { status } });
      expect(body.data).toMatchObject({ status, completedAt: null });
      expect(await service.events()).toMatchObject([
        { name: 'task.updated', data: { status, changedFields: ['status'] } },
      ]);
    },
  );

  test('cancelled: an update of the status, and nothing else', async ({ service }) => {
    const { id } = await newTask(service);
    await service.call(`PATCH /api/v1/tasks/${id}`, { body: { status: 'cancelled' } });
    expect(await service.events()).toMatchObject([
      { name: 'task.updated', data: { status: 'cancelled', changedFields: ['status'] } },
    ]);
  });

  test.for([
    ['a null title', { title: null }, '/title'],
    ['a blank title', { title: ' ' }, '/title'],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, '/title'],
    ['a null status', { status: null }, '/status'],
    ['a null priority', { priority: null }, '/priority'],
    ['completedAt', { completedAt: null }, '/completedAt'],
    ['a due date in ISO 8601', { dueDate: '2026-12-01' }, '/dueDate'],
    ['an unknown field', { done: true }, '/done'],
    ['an unknown assignee', { assignedTo: crypto.randomUUID() }, '/assignedTo'],
  ] as const)('refuses %s and changes nothing', async ([, body, path], { service }) => {
    const before = await newTask(service);
    const reply = await service.call(`PATCH /api/v1/tasks/${before.id}`, { body });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, path]);
    expect(await taskOf(service, before.id)).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses a contact or deal that is deleted, foreign or unknown', async ({ service }) => {
    const wrong = { contactId: await deadContacts(service), dealId: await deadDeals(service) };
    const before = await newTask(service);
    for (const [field, ids] of Object.entries(wrong)) {
      for (const id of ids) {
        const { status, body } = await service.call(`PATCH /api/v1/tasks/${before.id}`, {
          body: { [field]: id },
        });
        expect([status, body.error.details.issues[0].path]).toEqual([400, `/${field}`]);
      }
    }
    expect(await taskOf(service, before.id)).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('a contact that was deleted meanwhile may be repeated with other fields', async ({
    service,
  }) => {
    const contactId = await newContact(service);
    const { id } = await newTask(service, { contactId });
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    await service.events();
    const { status } = await service.call(`PATCH /api/v1/tasks/${id}`, {
      body: { contactId, title: 'Other' },
    });
    expect(status).toBe(200);
    expect(await service.events()).toMatchObject([
      { name: 'task.updated', contactId, data: { changedFields: ['title'] } },
    ]);
  });

  test('parallel patches of different fields all apply, twenty times', async ({ service }) => {
    const { id } = await newTask(service);
    for (let round = 0; round < 20; round += 1) {
      const fields = { title: `t${round}`, description: `d${round}`, dueDate: round };
      await Promise.all(
        Object.entries(fields).map(([field, value]) =>
          service.call(`PATCH /api/v1/tasks/${id}`, { body: { [field]: value } }),
        ),
      );
      expect(await taskOf(service, id)).toMatchObject(fields);
      expect(await service.eventNames()).toEqual(Array(3).fill('task.updated'));
    }
  });
});
