import { describe, expect, test, type TestService } from '../support/service.ts';
import { newContact, newTask, taskOf } from './tasks.support.ts';

const deleteContact = ({ call }: TestService, id: string) => call(`DELETE /api/v1/contacts/${id}`);

describe('when a contact is deleted', () => {
  test('its open tasks are cancelled, with one task.updated each', async ({ service }) => {
    const contactId = await newContact(service, { tags: ['vip'] });
    const open = [
      await newTask(service, { contactId, title: 'A', priority: 'high' }),
      await newTask(service, { contactId, title: 'B', status: 'in_review' }),
    ];
    await deleteContact(service, contactId);

    for (const task of open) {
      expect(await taskOf(service, task.id)).toEqual({
        ...task,
        status: 'cancelled',
        updatedAt: expect.any(String),
      });
    }
    expect(await service.events()).toEqual(
      open.map(({ id, title, priority }) => ({
        name: 'task.updated',
        contactId,
        data: {
          taskId: id,
          title,
          status: 'cancelled',
          priority,
          changedFields: ['status'],
          tags: ['vip'],
        },
      })),
    );
  });

  test("completed, cancelled, deleted and other contacts' tasks do not change and fire nothing", async ({
    service,
  }) => {
    const contactId = await newContact(service);
    const others = [
      await newTask(service, { contactId, status: 'completed' }),
      await newTask(service, { contactId, status: 'cancelled' }),
      await newTask(service, { contactId: await newContact(service) }),
      await newTask(service),
    ];
    const gone = await newTask(service, { contactId });
    await service.call(`DELETE /api/v1/tasks/${gone.id}`);
    await service.events();
    await deleteContact(service, contactId);

    for (const task of others) {
      expect(await taskOf(service, task.id)).toEqual(task);
    }
    expect(await service.eventNames()).toEqual([]);
    const [row] = await service.database.rows<{ status: string }>(
      'select status from tasks where sub_account_id = $1 and id = $2',
      [service.subAccountId, gone.id],
    );
    expect(row?.status).toBe('todo');
  });

  test('five thousand tasks are cancelled together with as many events', async ({ service }) => {
    const contactId = await newContact(service);
    await service.database.rows(
      `insert into tasks
         (sub_account_id, id, title, status, priority, contact_id, created_at, updated_at)
       select $1, gen_random_uuid(), 'T' || n, 'todo', 'low', $2, now(), now()
       from generate_series(1, 5000) as n`,
      [service.subAccountId, contactId],
    );
    expect((await deleteContact(service, contactId)).status).toBe(200);

    const list = await service.call('GET /api/v1/tasks?status=cancelled&limit=1');
    expect(list.body.meta.total).toBe(5_000);
    const fired = await service.events();
    expect(new Set(fired.map(({ name, data }) => `${name} ${data.status}`))).toEqual(
      new Set(['task.updated cancelled']),
    );
    expect(new Set(fired.map(({ data }) => data.taskId)).size).toBe(5_000);
  });

  test('a simultaneous completion applies, in either order, twenty times', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const contactId = await newContact(service);
      const { id } = await newTask(service, { contactId });
      const replies = await Promise.all([
        deleteContact(service, contactId),
        service.call(`PUT /api/v1/tasks/${id}/complete`),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const task = await taskOf(service, id);
      expect([task.status, task.completedAt !== null]).toEqual(['completed', true]);
      const fired = await service.eventNames();
      expect([['task.completed'], ['task.updated', 'task.completed']]).toContainEqual(fired);
    }
  });

  test('a task created for or moved to it meanwhile is refused or cancelled, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const contactId = await newContact(service);
      const { id } = await newTask(service);
      const [deleted, ...replies] = await Promise.all([
        deleteContact(service, contactId),
        service.call('POST /api/v1/tasks', { body: { title: 'New', contactId } }),
        service.call(`PATCH /api/v1/tasks/${id}`, { body: { contactId } }),
      ]);
      expect(deleted?.status).toBe(200);
      for (const { status, body } of replies) {
        expect([200, 201, 400]).toContain(status);
        if (status !== 400) {
          expect((await taskOf(service, body.data.id)).status).toBe('cancelled');
        }
      }
    }
  });
});

describe('when a contact is merged', () => {
  test('its tasks move unchanged to the kept contact, and no task event fires', async ({
    service,
  }) => {
    const kept = await newContact(service);
    const other = await newContact(service);
    const tasks = [
      await newTask(service, { contactId: other }),
      await newTask(service, { contactId: other, status: 'completed' }),
      await newTask(service, { contactId: kept }),
    ];
    const { status } = await service.call(`POST /api/v1/contacts/${kept}/merge`, {
      body: { contactId: other },
    });

    expect(status).toBe(200);
    for (const task of tasks) {
      expect(await taskOf(service, task.id)).toEqual({
        ...task,
        contactId: kept,
        updatedAt: expect.any(String),
      });
    }
    const list = await service.call(`GET /api/v1/tasks?contactId=${kept}`);
    expect(list.body.meta.total).toBe(3);
    expect(await service.eventNames()).toEqual([]);
  });

  test('a task created for it meanwhile is refused or moved, twenty times', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const [kept, other] = [await newContact(service), await newContact(service)];
      const { id } = await newTask(service, { contactId: other });
      const [merged, created, moved] = await Promise.all([
        service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId: other } }),
        service.call('POST /api/v1/tasks', { body: { title: 'New', contactId: other } }),
        service.call(`PATCH /api/v1/tasks/${id}`, { body: { contactId: kept } }),
      ]);
      expect([merged?.status, moved?.status]).toEqual([200, 200]);
      expect([201, 400]).toContain(created?.status);
      const { body } = await service.call(`GET /api/v1/tasks?contactId=${kept}`);
      expect(body.meta.total).toBe(created?.status === 201 ? 2 : 1);
      expect((await service.call(`GET /api/v1/tasks?status=todo`)).body.data).toContainEqual(
        expect.objectContaining({ id, contactId: kept }),
      );
    }
  });
});
