import { describe, expect, test, type TestService } from '../support/service.ts';
import { newContact, newDeal, newMember, newTask } from './tasks.support.ts';

const find = async (service: TestService, query: string) => {
  const { status, body } = await service.call(`GET /api/v1/tasks${query}`);
  expect(status).toBe(200);
  return {
    titles: body.data.map(({ title }: any) => title),
    total: body.meta.total,
    hasMore: body.meta.hasMore,
    cursor: body.meta.cursor,
  };
};

const titled = async (service: TestService, given: Readonly<Record<string, object>>) => {
  for (const [title, more] of Object.entries(given)) {
    await newTask(service, { title, ...more });
  }
};

describe('GET /api/v1/tasks', () => {
  test('lists tasks newest first, with the total', async ({ service }) => {
    await titled(service, { A: {}, B: {}, C: {} });
    expect(await find(service, '')).toEqual({
      titles: ['C', 'B', 'A'],
      total: 3,
      hasMore: false,
      cursor: null,
    });
  });

  test('returns the same record as GET of one task', async ({ service }) => {
    const contactId = await newContact(service);
    const task = await newTask(service, { contactId, dueDate: 5, status: 'completed' });
    const { body } = await service.call('GET /api/v1/tasks');
    expect(body.data).toEqual([task]);
  });

  test('does not list tasks of another sub-account', async ({ service }) => {
    const task = await newTask(service);
    const { body } = await service.call('GET /api/v1/tasks', { key: 'other' });
    expect([body.data, body.meta.total]).toEqual([[], 0]);
    const one = await service.call(`GET /api/v1/tasks/${task.id}`, { key: 'other' });
    expect(one.status).toBe(404);
  });

  test.for([
    ['?status=todo', ['D', 'A']],
    ['?status=in_review', ['B']],
    ['?status=completed', ['C']],
    ['?status=cancelled', []],
    ['?dueBefore=2000', ['A']],
    ['?dueBefore=2001', ['B', 'A']],
    ['?dueAfter=2000', ['C']],
    ['?dueAfter=1999', ['C', 'B']],
    ['?dueAfter=0', ['C', 'B', 'A']],
    ['?dueAfter=1000&dueBefore=3000', ['B']],
    ['?dueAfter=3000&dueBefore=1000', []],
    ['?dueBefore=253402300799999', ['C', 'B', 'A']],
    ['?dueBefore=3001&status=completed', ['C']],
  ] as const)('%s filters', async ([query, titles], { service }) => {
    await titled(service, {
      A: { dueDate: 1_000 },
      B: { dueDate: 2_000, status: 'in_review' },
      C: { dueDate: 3_000, status: 'completed' },
      D: {},
    });
    const found = await find(service, query);
    expect([found.titles, found.total]).toEqual([titles, titles.length]);
  });

  test('filters by assignee, contact and deal, alone and together', async ({ service }) => {
    const assignedTo = await newMember(service, 'anna');
    const contactId = await newContact(service);
    const dealId = await newDeal(service, contactId);
    await titled(service, {
      A: { assignedTo },
      B: { contactId },
      C: { dealId },
      D: { assignedTo, contactId, dealId },
      E: {},
    });
    expect((await find(service, `?assignedTo=${assignedTo}`)).titles).toEqual(['D', 'A']);
    expect((await find(service, `?contactId=${contactId}`)).titles).toEqual(['D', 'B']);
    expect((await find(service, `?dealId=${dealId.toUpperCase()}`)).titles).toEqual(['D', 'C']);
    const all = `?assignedTo=${assignedTo}&contactId=${contactId}&dealId=${dealId}&status=todo`;
    expect((await find(service, all)).titles).toEqual(['D']);
  });

  test('finds nothing for a foreign or unknown id', async ({ service }) => {
    const foreign = await newContact(service, {}, 'other');
    await newTask(service, { contactId: foreign }, 'other');
    await newTask(service, {});
    for (const query of [
      `contactId=${foreign}`,
      ...['contactId', 'dealId', 'assignedTo'].map((name) => `${name}=${crypto.randomUUID()}`),
    ]) {
      expect(await find(service, `?${query}`), query).toMatchObject({ titles: [], total: 0 });
    }
    expect((await find(service, '')).total).toBe(1);
  });

  test('finds the tasks of a deleted contact by its id', async ({ service }) => {
    const contactId = await newContact(service);
    await newTask(service, { title: 'Call', contactId });
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    expect(await find(service, `?contactId=${contactId}&status=cancelled`)).toMatchObject({
      titles: ['Call'],
      total: 1,
    });
  });

  test.for([
    '?status=done',
    '?status=todo,completed',
    '?assignedTo=anna',
    '?contactId=1',
    '?dealId=x',
    '?dueBefore=2026-12-01T09:00:00',
    '?dueBefore=1796137200',
    '?dueBefore=1.5',
    '?dueAfter=-1',
    '?dueAfter=253402300800000',
    '?dueAfter=',
    '?limit=0',
    '?limit=101',
    '?cursor=x',
    '?search=call',
    '?status=todo&status=completed',
  ])('%s is refused', async (query, { service }) => {
    const { status, body } = await service.call(`GET /api/v1/tasks${query}`);
    expect([status, body.error.code, body.error.details.issues[0].in]).toEqual([
      400,
      'VALIDATION_ERROR',
      'query',
    ]);
  });

  test('pages of every filter return the whole set once', async ({ service }) => {
    const contactId = await newContact(service);
    const titles = Array.from({ length: 23 }, (_, index) => `T${String(index).padStart(2, '0')}`);
    await titled(
      service,
      Object.fromEntries(titles.map((one) => [one, { contactId, dueDate: 7 }])),
    );
    for (const filter of ['', 'status=todo&', `contactId=${contactId}&`, 'dueBefore=8&']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await find(service, `?${filter}limit=5${cursor ? `&cursor=${cursor}` : ''}`);
        expect([page.total, page.hasMore]).toEqual([23, page.cursor !== null]);
        seen.push(...page.titles);
        ({ cursor } = page);
      } while (cursor);
      expect(seen).toEqual(titles.toReversed());
    }
  });

  test('refuses a cursor of other filters', async ({ service }) => {
    await titled(service, { A: {}, B: {} });
    const { cursor } = await find(service, '?limit=1&status=todo');
    const { status } = await service.call(`GET /api/v1/tasks?limit=1&cursor=${cursor}`);
    expect(status).toBe(400);
  });
});
