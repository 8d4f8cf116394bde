import { describe, expect, test } from '../support/service.ts';
import { deadContacts, deadDeals, newContact, newDeal, newMember } from './tasks.support.ts';

const DUE = 1_796_137_200_000;
const call = { title: 'Call Ada back' };

describe('POST /api/v1/tasks', () => {
  test('needs only a title, and fires only task.created', async ({ service }) => {
    const { status, body } = await service.call('POST /api/v1/tasks', { body: call });

    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      title: 'Call Ada back',
      description: null,
      status: 'todo',
      priority: 'medium',
      dueDate: null,
      completedAt: null,
      assignedTo: null,
      contactId: null,
      dealId: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.data.createdAt,
    });
    expect(await service.events()).toEqual([
      {
        name: 'task.created',
        contactId: null,
        data: {
          taskId: body.data.id,
          title: 'Call Ada back',
          status: 'todo',
          priority: 'medium',
          dueDate: null,
          assignedTo: null,
        },
      },
    ]);
  });

  test('accepts every field, and its event has the contact’s tags', async ({ service }) => {
    const contactId = await newContact(service, { tags: ['vip'] });
    const given = {
      ...call,
      description: 'About the quote',
      status: 'in_review',
      priority: 'urgent',
      dueDate: DUE,
      assignedTo: await newMember(service, 'anna'),
      contactId,
      dealId: await newDeal(service, contactId),
    };
    const { status, body } = await service.call('POST /api/v1/tasks', { body: given });

    expect([status, body.data]).toMatchObject([201, given]);
    expect((await service.call(`GET /api/v1/tasks/${body.data.id}`)).body.data).toEqual(body.data);
    expect(await service.events()).toEqual([
      {
        name: 'task.created',
        contactId,
        data: {
          taskId: body.data.id,
          title: given.title,
          status: 'in_review',
          priority: 'urgent',
          dueDate: DUE,
          assignedTo: given.assignedTo,
          tags: ['vip'],
        },
      },
    ]);
  });

  test('creates a task as completed with completedAt, and fires only task.created', async ({
    service,
  }) => {
    const before = Date.now();
    const { body } = await service.call('POST /api/v1/tasks', {
      body: { ...call, status: 'completed' },
    });
    expect(body.data.completedAt).toBeGreaterThanOrEqual(before);
    expect(body.data.completedAt).toBe(Date.parse(body.data.createdAt));
    expect(await service.events()).toMatchObject([
      { name: 'task.created', data: { status: 'completed' } },
    ]);
  });

  test.for([
    ['500 characters', 'x'.repeat(500)],
    ['500 characters outside the basic plane', '😀'.repeat(500)],
  ])('takes a title of %s', async ([, title], { service }) => {
    const { status, body } = await service.call('POST /api/v1/tasks', { body: { title } });
    expect([status, body.data.title]).toEqual([201, title]);
  });

  test.for([0, 99_999_999, 253_402_300_799_999])(
    'accepts a due date of %d and returns it unchanged',
    async (dueDate, { service }) => {
      const { status, body } = await service.call('POST /api/v1/tasks', {
        body: { ...call, dueDate },
      });
      expect([status, body.data.dueDate]).toEqual([201, dueDate]);
    },
  );

  test.for([
    ['no body at all', undefined, ''],
    ['no title', {}, '/title'],
    ['a null title', { title: null }, '/title'],
    ['an empty title', { title: '' }, '/title'],
    ['a blank title', { title: ' \t' }, '/title'],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, '/title'],
    ['a title of 501 emoji', { title: '😀'.repeat(501) }, '/title'],
    [
      'a description of 20,001 characters',
      { ...call, description: 'x'.repeat(20_001) },
      '/description',
    ],
    ['an unknown status', { ...call, status: 'done' }, '/status'],
    ['a null status', { ...call, status: null }, '/status'],
    ['an unknown priority', { ...call, priority: 'asap' }, '/priority'],
    ['a due date in seconds', { ...call, dueDate: 1_796_137_200 }, '/dueDate'],
    ['a due date without an offset', { ...call, dueDate: '2026-12-01T09:00:00' }, '/dueDate'],
    ['a due date in digits', { ...call, dueDate: '1796137200000' }, '/dueDate'],
    ['half a millisecond', { ...call, dueDate: 1.5 }, '/dueDate'],
    ['a due date before 1970', { ...call, dueDate: -1 }, '/dueDate'],
    ['a due date after the year 9999', { ...call, dueDate: 253_402_300_800_000 }, '/dueDate'],
    ['completedAt, which is read-only', { ...call, completedAt: DUE }, '/completedAt'],
    ['an id', { ...call, id: crypto.randomUUID() }, '/id'],
    ['createdAt', { ...call, createdAt: '2026-12-01T09:00:00Z' }, '/createdAt'],
    ['an unknown field', { ...call, colour: 'red' }, '/colour'],
    ['an assignee that is not an id', { ...call, assignedTo: 'anna' }, '/assignedTo'],
    ['a contact that is not an id', { ...call, contactId: '' }, '/contactId'],
    ['a deal that is not an id', { ...call, dealId: 7 }, '/dealId'],
    ['an unknown assignee', { ...call, assignedTo: crypto.randomUUID() }, '/assignedTo'],
  ] as const)('refuses %s and writes nothing', async ([, body, path], { service }) => {
    const reply = await service.call('POST /api/v1/tasks', { body });

    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.error.details.issues).toContainEqual({
      in: 'body',
      path,
      message: expect.any(String),
    });
    expect(await service.eventNames()).toEqual([]);
    expect((await service.call('GET /api/v1/tasks')).body.meta.total).toBe(0);
  });

  test('refuses foreign, unknown and deleted ids with the same issue at their field', async ({
    service,
  }) => {
    const [foreign, unknown] = [
      await newMember(service, 'eve', service.otherSubAccountId),
      crypto.randomUUID(),
    ];
    const wrong = {
      contactId: await deadContacts(service),
      dealId: await deadDeals(service),
      assignedTo: [foreign, unknown],
    };
    for (const [field, ids] of Object.entries(wrong)) {
      const answers = new Set<string>();
      for (const id of ids) {
        const { status, body } = await service.call('POST /api/v1/tasks', {
          body: { ...call, [field]: id },
        });
        expect([status, body.error.details.issues]).toMatchObject([
          400,
          [{ in: 'body', path: `/${field}` }],
        ]);
        answers.add(JSON.stringify(body));
      }
      expect(answers.size).toBe(1);
    }
    expect(await service.eventNames()).toEqual([]);
    expect((await service.call('GET /api/v1/tasks')).body.meta.total).toBe(0);
  });

  test('reports contact and deal at once if both are wrong', async ({ service }) => {
    const { body } = await service.call('POST /api/v1/tasks', {
      body: { ...call, contactId: crypto.randomUUID(), dealId: crypto.randomUUID() },
    });
    expect(body.error.details.issues.map(({ path }: any) => path)).toEqual([
      '/contactId',
      '/dealId',
    ]);
  });
});
