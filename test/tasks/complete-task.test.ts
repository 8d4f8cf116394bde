import { describe, expect, test } from '../support/service.ts';
import { newContact, newTask, taskOf } from './tasks.support.ts';

describe('PUT /api/v1/tasks/{id}/complete', () => {
  test.for(['todo', 'in_review', 'cancelled'])(
    'completes a task that is %s and fires only task.completed',
    async (status, { service }) => {
      const contactId = await newContact(service, { tags: ['vip'] });
      const before = await newTask(service, { contactId, status });
      const { status: answered, body } = await service.call(
        `PUT /api/v1/tasks/${before.id}/complete`,
      );

      expect([answered, body.data]).toEqual([
        200,
        {
          ...before,
          status: 'completed',
          completedAt: expect.any(Number),
          updatedAt: expect.any(String),
        },
      ]);
      expect(await service.events()).toEqual([
        {
          name: 'task.completed',
          contactId,
          data: {
            taskId: before.id,
            title: before.title,
            status: 'completed',
            priority: 'medium',
            completedAt: body.data.completedAt,
            tags: ['vip'],
          },
        },
      ]);
    },
  );

  test('a repeat is 200, changes nothing and fires nothing', async ({ service }) => {
    const { id } = await newTask(service);
    const first = await service.call(`PUT /api/v1/tasks/${id}/complete`);
    await service.events();
    const second = await service.call(`PUT /api/v1/tasks/${id}/complete`, { body: {} });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses any field in the body', async ({ service }) => {
    const before = await newTask(service);
    const { status } = await service.call(`PUT /api/v1/tasks/${before.id}/complete`, {
      body: { status: 'completed' },
    });
    expect(status).toBe(400);
    expect(await taskOf(service, before.id)).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('parallel completions, of either kind, fire one task.completed, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await newTask(service);
      const replies = await Promise.all([
        service.call(`PUT /api/v1/tasks/${id}/complete`),
        service.call(`PUT /api/v1/tasks/${id}/complete`),
        service.call(`PATCH /api/v1/tasks/${id}`, { body: { status: 'completed' } }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(replies.map(({ body }) => body.data.completedAt)).size).toBe(1);
      const fired = await service.eventNames();
      expect(fired.filter((name) => name === 'task.completed')).toHaveLength(1);
      expect(fired.filter((name) => name !== 'task.completed').length).toBeLessThanOrEqual(1);
    }
  });
});

describe('DELETE /api/v1/tasks/{id}', () => {
  test('a deleted task is 404 everywhere, and fires only task.deleted, once', async ({
    service,
  }) => {
    const contactId = await newContact(service);
    const { id } = await newTask(service, { contactId, status: 'in_review' });
    const { status, body } = await service.call(`DELETE /api/v1/tasks/${id}`);

    expect([status, body]).toEqual([200, { data: { id, deleted: true } }]);
    expect(await service.events()).toEqual([
      {
        name: 'task.deleted',
        contactId,
        data: { taskId: id, title: 'Call Ada back', status: 'in_review', priority: 'medium' },
      },
    ]);
    for (const line of [
      `GET /api/v1/tasks/${id}`,
      `DELETE /api/v1/tasks/${id}`,
      `PUT /api/v1/tasks/${id}/complete`,
    ]) {
      expect((await service.call(line)).status).toBe(404);
    }
    const patch = await service.call(`PATCH /api/v1/tasks/${id}`, { body: { title: 'x' } });
    expect(patch.status).toBe(404);
    for (const query of ['', `?contactId=${contactId}`, '?status=in_review']) {
      const list = await service.call(`GET /api/v1/tasks${query}`);
      expect([list.body.data, list.body.meta.total]).toEqual([[], 0]);
    }
    expect(await service.eventNames()).toEqual([]);
  });

  test('of parallel deletions one succeeds and fires, twenty times', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await newTask(service);
      const replies = await Promise.all(
        [1, 2, 3].map(() => service.call(`DELETE /api/v1/tasks/${id}`)),
      );
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200, 404, 404,
      ]);
      expect(await service.eventNames()).toEqual(['task.deleted']);
    }
  });
});
