import { suppressAddress } from '../../src/contacts/consent/suppressions.ts';
import { apply } from '../support/manifest.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';

const newContact = async ({ call }: TestService, more: object = {}): Promise<string> =>
  (await call('POST /api/v1/contacts', { body: { firstName: 'Ada', lastName: 'L', ...more } })).body
    .data.id;

describe('saved views of contacts', () => {
  const VIEW = {
    name: 'New leads',
    filter: { lifecycleStage: 'lead', tags: ['vip'] },
    columns: ['email', 'custom.insurer'],
  };

  test('belong to their user', async ({ service }) => {
    const ada = await signInAs(service, 'viewer');
    const grace = await signInAs(service, 'viewer');
    const created = await ada.call(`POST ${V1}/contact-views`, { body: VIEW });
    expect([created.status, created.body.data]).toEqual([201, { ...VIEW, id: expect.any(String) }]);
    const path = `${V1}/contact-views/${created.body.data.id}`;
    expect((await grace.call(`GET ${V1}/contact-views`)).body.data).toEqual([]);
    expect((await grace.call(`PATCH ${path}`, { body: { name: 'Mine' } })).status).toBe(404);
    expect((await grace.call(`DELETE ${path}`)).status).toBe(404);
    const renamed = await ada.call(`PATCH ${path}`, { body: { name: 'Leads', filter: {} } });
    expect(renamed.body.data).toMatchObject({ name: 'Leads', filter: {}, columns: VIEW.columns });
    expect((await ada.call(`DELETE ${path}`)).status).toBe(200);
    expect((await ada.call(`GET ${V1}/contact-views`)).body.data).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('have names of their own', async ({ service }) => {
    const { call } = await signInAs(service, 'viewer');
    await call(`POST ${V1}/contact-views`, { body: VIEW });
    const again = await call(`POST ${V1}/contact-views`, { body: VIEW });
    expect([again.status, again.body.error.details.reason]).toEqual([400, 'duplicate_name']);
  });

  test('keep the columns of the list of all contacts beside them', async ({ service }) => {
    const { call } = await signInAs(service, 'viewer');
    await call(`POST ${V1}/contact-views`, { body: VIEW });
    await call(`PUT ${V1}/contact-views/default`, { body: { columns: ['email'] } });
    await call(`PUT ${V1}/contact-views/default`, { body: { columns: ['phone', 'tags'] } });
    const { body } = await call(`GET ${V1}/contact-views`);
    expect(body.data.map(({ name, columns }: any) => [name, columns])).toEqual([
      ['New leads', VIEW.columns],
      [null, ['phone', 'tags']],
    ]);
  });
});

describe('the preview of a merge', () => {
  test('shows the outcome and changes nothing', async ({ service }) => {
    const { call } = await signInAs(service, 'agent');
    const kept = await newContact(service, { email: 'ada@example.com', tags: ['vip'] });
    const other = await newContact(service, {
      firstName: 'Augusta',
      email: 'augusta@example.com',
      phone: '+4930123456',
      tags: ['press'],
      dnd: { sms: true },
    });
    await service.call('POST /api/v1/tasks', { body: { title: 'Call', contactId: other } });
    await service.events();
    const before = (await service.call(`GET /api/v1/contacts/${kept}`)).body.data;
    const { status, body } = await call(`POST ${V1}/contacts/${kept}/merge/preview`, {
      body: { contactId: other },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      result: {
        id: kept,
        firstName: 'Ada',
        email: 'ada@example.com',
        phone: '+4930123456',
        additionalEmails: ['augusta@example.com'],
        tags: ['vip', 'press'],
        dnd: { sms: true },
      },
      kept: { id: kept, phone: null },
      other: { id: other, firstName: 'Augusta' },
      moved: { conversations: 0, appointments: 0, opportunities: 0, tasks: 1 },
    });
    expect((await service.call(`GET /api/v1/contacts/${kept}`)).body.data).toEqual(before);
    expect((await service.call(`GET /api/v1/contacts/${other}`)).status).toBe(200);
    expect(await service.eventNames()).toEqual([]);
    const merged = await call(`POST ${V1}/contacts/${kept}/merge`, { body: { contactId: other } });
    const { updatedAt: _at, ...result } = body.data.result;
    expect(merged.body.data).toMatchObject(result);
  });

  test('is refused like the merge', async ({ service }) => {
    const { call } = await signInAs(service, 'agent');
    const kept = await newContact(service);
    for (const contactId of [kept, crypto.randomUUID()]) {
      const body = { contactId };
      const preview = await call(`POST ${V1}/contacts/${kept}/merge/preview`, { body });
      const merge = await call(`POST ${V1}/contacts/${kept}/merge`, { body });
      expect([preview.status, preview.body.error.message]).toEqual([400, merge.body.error.message]);
    }
  });
});

describe('consent', () => {
  test('shows the settings of the contact and the suppressions of their addresses', async ({
    service,
  }) => {
    const agent = await signInAs(service, 'agent');
    const admin = await signInAs(service, 'admin');
    const id = await newContact(service, {
      email: 'Ada@example.com',
      phone: '+4930123456',
      dnd: { sms: true },
    });
    const suppressed = { channel: 'email', address: 'ada@example.com' } as const;
    await service.transact(service.subAccountId, OPERATOR, async (work) => {
      await suppressAddress(work, { ...suppressed, reason: 'unsubscribe' });
    });
    await service.events();
    const read = async () => (await agent.call(`GET ${V1}/contacts/${id}/consent`)).body.data;
    const createdAt = expect.any(String);
    const phone = { channel: 'sms', address: '+4930123456' };
    expect(await read()).toEqual({
      dnd: { sms: true },
      addresses: [
        { ...suppressed, suppressed: { reason: 'unsubscribe', createdAt } },
        { ...phone, suppressed: null },
      ],
    });
    const stopped = await agent.call(`POST ${V1}/contacts/${id}/suppress`, { body: phone });
    expect(stopped.body.data.addresses[1]).toEqual({
      ...phone,
      suppressed: { reason: 'manual', createdAt },
    });
    const line = `POST ${V1}/contacts/${id}/unsuppress`;
    expect((await agent.call(line, { body: suppressed })).status).toBe(403);
    expect((await admin.call(line, { body: suppressed })).status).toBe(200);
    expect((await read()).addresses[0]).toEqual({ ...suppressed, suppressed: null });
    expect(await service.eventNames()).toEqual([]);
  });

  test('is changed for addresses of the contact only', async ({ service }) => {
    const { call } = await signInAs(service, 'admin');
    const id = await newContact(service, { email: 'ada@example.com', phone: '+4930123456' });
    for (const body of [
      { channel: 'email', address: 'other@example.com' },
      { channel: 'sms', address: 'ada@example.com' },
    ]) {
      for (const verb of ['suppress', 'unsuppress']) {
        const answer = await call(`POST ${V1}/contacts/${id}/${verb}`, { body });
        expect([answer.status, answer.body.error.message]).toEqual([
          400,
          expect.stringContaining('is not an address of this contact'),
        ]);
      }
    }
  });
});

describe('a typed phone number', () => {
  test.for([
    ['+49 151 2345678', '+491512345678'],
    ['0151 2345678', '+491512345678'],
    ['(0151) 23-45.678', '+491512345678'],
    ['0044 20 7946 0018', '+442079460018'],
    [' +491512345678 ', '+491512345678'],
    ['0151 2345678, 030 901820', null],
    ['12', null],
    ['soon', null],
  ] as const)('%s is %s in Germany', async ([text, number], { service }) => {
    await apply(service, 'subAccount: {timezone: Europe/Berlin, locale: de-DE}');
    const { call } = await signInAs(service, 'viewer');
    const { body } = await call(`GET ${V1}/phone-number?text=${encodeURIComponent(text)}`);
    expect(body.data).toEqual({
      number,
      examples: { national: '01512 3456789', international: '+4915123456789' },
    });
  });
});

test('an export has the selected contacts, or those that a filter finds', async ({ service }) => {
  const { call } = await signInAs(service, 'admin');
  const first = await newContact(service, { firstName: 'Ada' });
  await newContact(service, { firstName: 'Grace', tags: ['vip'] });
  await newContact(service, { firstName: 'Alan' });
  const names = async (body: object) => {
    const answer = await call(`POST ${V1}/exports/contacts`, { body });
    const lines = (answer.body as string).trim().split('\n').slice(1);
    return lines.map((line) => line.split(',')[1]);
  };
  expect(await names({ contactIds: [first] })).toEqual(['Ada']);
  expect(await names({ filter: { tags: ['vip'] } })).toEqual(['Grace']);
  expect(await names({ filter: { search: 'alan' } })).toEqual(['Alan']);
  expect(await names({ filter: {} })).toHaveLength(3);
  expect((await call(`POST ${V1}/exports/contacts`, { body: {} })).status).toBe(400);
});

test('agents merge and delete contacts, viewers do not, and neither erases a person', async ({
  service,
}) => {
  const [agent, viewer] = [await signInAs(service, 'agent'), await signInAs(service, 'viewer')];
  const [kept, other] = [await newContact(service), await newContact(service)];
  const merge = `POST ${V1}/contacts/${kept}/merge`;
  const remove = `DELETE ${V1}/contacts/${kept}`;
  expect((await viewer.call(merge, { body: { contactId: other } })).status).toBe(403);
  expect((await viewer.call(remove)).status).toBe(403);
  expect((await agent.call(merge, { body: { contactId: other } })).status).toBe(200);
  expect((await agent.call(`POST ${V1}/contacts/${kept}/erase`)).status).toBe(403);
  expect((await agent.call(remove)).status).toBe(200);
  expect(await service.eventNames()).toEqual(['contact.created', 'contact.created']);
});

test('the timeline tells notes from messages', async ({ service }) => {
  const contactId = await newContact(service);
  const channel = 'live_chat';
  const conversation = await service.call('POST /api/v1/conversations', {
    body: { contactId, channel },
  });
  const path = `/api/v1/conversations/${conversation.body.data.id}/messages`;
  await service.call(`POST ${path}`, { body: { channel, bodyText: 'See you soon' } });
  const note = { channel, bodyText: 'Prefers Saturdays', isInternal: true };
  await service.call(`POST ${path}`, { body: note });
  const { call } = await signInAs(service, 'viewer');
  const { data } = (await call(`GET ${V1}/contacts/${contactId}/timeline`)).body;
  expect(data.map(({ kind, summary }: any) => [kind, summary])).toEqual([
    ['note', 'Prefers Saturdays'],
    ['message', 'See you soon'],
  ]);
});
