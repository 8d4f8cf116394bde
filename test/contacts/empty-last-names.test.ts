import { exportContacts } from '../../src/contacts/import/export-contacts.ts';
import { createMinimalContact } from '../../src/contacts/create-minimal-contact.ts';
import { mergeValuesOf } from '../../src/contacts/contact.store.ts';
import { importCsv } from '../support/import-csv.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';

const PHONE = '+4930901822';

async function minimalContact(
  { transact, subAccountId }: TestService,
  more: { fullName?: string } = {},
) {
  const { contactId } = await transact(subAccountId, OPERATOR, (work) =>
    createMinimalContact(work, { address: PHONE, phone: PHONE, source: 'sms', ...more }),
  );
  return contactId;
}

const contactOf = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/contacts/${id}`)).body.data;

describe('an unknown last name', () => {
  test('is empty in responses and events', async ({ service }) => {
    const id = await minimalContact(service);
    const named = { firstName: PHONE, lastName: '' };
    expect(await contactOf(service, id)).toMatchObject(named);
    expect(await service.events()).toMatchObject([{ name: 'contact.created', data: named }]);
  });

  test('leaves only the first name in the full name', async ({ service }) => {
    const contact = await contactOf(service, await minimalContact(service));
    expect(mergeValuesOf(contact, {})).toMatchObject({ fullName: PHONE, lastName: '' });
    const body = { contactId: contact.id, channel: 'sms' };
    const { id } = (await service.call('POST /api/v1/conversations', { body })).body.data;
    const { data } = (await service.call(`GET /api/v1/conversations/${id}`)).body;
    expect(data.contact.name).toBe(PHONE);
  });

  test('can be written back without a change', async ({ service }) => {
    const id = await minimalContact(service);
    const { firstName, lastName } = await contactOf(service, id);
    await service.events();
    const answer = await service.call(`PATCH /api/v1/contacts/${id}`, {
      body: { firstName, lastName },
    });
    expect([answer.status, answer.body.data.lastName]).toEqual([200, '']);
    expect(await service.events()).toEqual([]);
  });

  test('does not prevent finding by first name and phone, and a dash finds nothing', async ({
    service,
  }) => {
    const id = await minimalContact(service, { fullName: 'Ada' });
    const found = async (search: string) =>
      (await service.call(`GET /api/v1/contacts?search=${encodeURIComponent(search)}`)).body.data;
    expect((await found('ada')).map((one: any) => one.id)).toEqual([id]);
    expect(await found('a –')).toEqual([]);
  });

  test('is filled in by a merge', async ({ service }) => {
    const id = await minimalContact(service, { fullName: 'Ada' });
    const body = { firstName: 'A.', lastName: 'Lovelace' };
    const other = (await service.call('POST /api/v1/contacts', { body })).body.data.id;
    await service.call(`POST /api/v1/contacts/${id}/merge`, { body: { contactId: other } });
    expect(await contactOf(service, id)).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
  });

  test('survives an export and an import', async ({ service }) => {
    await minimalContact(service, { fullName: 'Ada' });
    const { openView, clock, subAccountId, otherSubAccountId } = service;
    const lines: string[][] = [];
    for await (const line of exportContacts(openView(subAccountId, clock()))) {
      lines.push(line.slice(1));
    }
    expect(lines[1]?.slice(0, 2)).toEqual(['Ada', '']);
    const csv = lines.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n');
    const result = await importCsv({ ...service, subAccountId: otherSubAccountId }, csv);
    expect(result).toMatchObject({ created: 1, failed: 0 });
    const { body } = await service.call('GET /api/v1/contacts', { key: 'other' });
    expect(body.data).toMatchObject([{ firstName: 'Ada', lastName: '' }]);
  });
});

test('a new contact requires a last name that is not blank', async ({ service }) => {
  const id = await minimalContact(service);
  for (const lastName of ['', ' ', null]) {
    const body = { firstName: 'Ada', lastName };
    expect((await service.call('POST /api/v1/contacts', { body })).status).toBe(400);
  }
  const blank = { lastName: ' ' };
  expect((await service.call(`PATCH /api/v1/contacts/${id}`, { body: blank })).status).toBe(400);
});
