import { describe, expect, test, type TestService } from '../../support/service.ts';
import { newContact, newMember } from '../../tasks/tasks.support.ts';
import { ADA, newThread, opened, patched, threadOf } from '../conversations.support.ts';

const find = async (service: TestService, query = '') => {
  const { status, body } = await service.call(`GET /api/v1/conversations${query}`);
  expect(status).toBe(200);
  return { ids: body.data.map(({ id }: any) => id) as string[], ...body.meta };
};

describe('GET /api/v1/conversations', () => {
  test('lists newest first by creation, regardless of later messages', async ({ service }) => {
    const ids = [];
    for (const channel of ['email', 'sms', 'gmail']) {
      ids.unshift((await newThread(service, channel, {})).id);
    }
    await patched(service, ids[2] ?? '', { status: 'snoozed' });
    expect(await find(service)).toEqual({ ids, total: 3, hasMore: false, cursor: null });
  });

  test('shows the same conversation as GET by id, with the current contact', async ({
    service,
  }) => {
    const { id, contactId } = await newThread(service, 'email', { ...ADA, lastName: 'Byron' });
    const renamed = { firstName: 'Augusta', lastName: 'King', email: 'king@example.com' };
    await service.call(`PATCH /api/v1/contacts/${contactId}`, { body: renamed });
    const { body } = await service.call('GET /api/v1/conversations');
    expect(body.data).toEqual([await threadOf(service, id)]);
    expect(body.data[0].contact).toEqual({
      name: 'Augusta King',
      email: 'king@example.com',
      phone: ADA.phone,
    });
  });

  test('a contact without addresses is shown with nulls', async ({ service }) => {
    const { id } = await newThread(service, 'sms', { firstName: 'Q"\\', lastName: '<ü>' });
    expect((await threadOf(service, id)).contact).toEqual({
      name: 'Q"\\ <ü>',
      email: null,
      phone: null,
    });
  });

  test('another sub-account sees none of them', async ({ service }) => {
    const { id, contactId } = await newThread(service);
    for (const query of ['', `?contactId=${contactId}`]) {
      const { body } = await service.call(`GET /api/v1/conversations${query}`, { key: 'other' });
      expect([body.data, body.meta.total]).toEqual([[], 0]);
    }
    for (const path of [id, `${id}/messages`]) {
      const one = await service.call(`GET /api/v1/conversations/${path}`, { key: 'other' });
      expect(one.status).toBe(404);
    }
  });

  test('filters by status, channel, contact and assignee, and by all of them', async ({
    service,
  }) => {
    const assignedTo = await newMember(service, 'anna');
    const ada = await newContact(service);
    const bob = await newContact(service);
    const { id: a } = await opened(service, { contactId: ada, channel: 'email' });
    const { id: b } = await opened(service, { contactId: ada, channel: 'sms' });
    const { id: c } = await opened(service, { contactId: bob, channel: 'email' });
    await patched(service, a, { status: 'closed', assignedTo });
    await patched(service, c, { status: 'snoozed', assignedTo });
    const wanted: Record<string, readonly string[]> = {
      'status=open': [b],
      'status=closed': [a],
      'status=snoozed': [c],
      'channel=email': [c, a],
      'channel=gmail': [],
      [`contactId=${ada}`]: [b, a],
      [`contactId=${ada.toUpperCase()}`]: [b, a],
      [`assignedTo=${assignedTo}`]: [c, a],
      [`assignedTo=${assignedTo}&contactId=${ada}&channel=email&status=closed`]: [a],
      [`assignedTo=${assignedTo}&status=open`]: [],
      [`contactId=${crypto.randomUUID()}`]: [],
      [`assignedTo=${crypto.randomUUID()}`]: [],
    };
    for (const [query, ids] of Object.entries(wanted)) {
      const found = await find(service, `?${query}`);
      expect([query, found.ids, found.total]).toEqual([query, ids, ids.length]);
    }
  });

  test.for([
    '?status=archived',
    '?status=open,closed',
    '?channel=fax',
    '?contactId=ada',
    '?assignedTo=null',
    '?limit=0',
    '?limit=101',
    '?cursor=x',
    '?isArchived=false',
  ])('%s is refused', async (query, { service }) => {
    const { status, body } = await service.call(`GET /api/v1/conversations${query}`);
    expect([status, body.error.details.issues[0].in]).toEqual([400, 'query']);
  });

  test('pages return each conversation once while others are opened and deleted', async ({
    service,
  }) => {
    const threads = [];
    for (let count = 0; count < 13; count += 1) {
      threads.unshift(await newThread(service, 'email', {}));
    }
    for (const filter of ['', 'status=open&', 'channel=email&']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await find(service, `?${filter}limit=5${cursor ? `&cursor=${cursor}` : ''}`);
        expect(page.hasMore).toBe(page.cursor !== null);
        seen.push(...page.ids);
        ({ cursor } = page);
        const passing = await newThread(service, 'email', {});
        await service.call(`DELETE /api/v1/contacts/${passing.contactId}`);
      } while (cursor);
      expect(seen).toEqual(threads.map(({ id }) => id));
    }
    expect((await find(service)).total).toBe(13);
  });
});
