import type { JobContext } from '#core/job.ts';
import { handleChangeContacts } from '../../src/console/contacts/run-bulk-change.ts';
import { signInAs } from '../support/people.ts';
import { runErasureOfMentions } from './run-erasure.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const V1 = '/console/api/v1';
const EMAIL = 'ada.erased@example.com';

const create = async ({ call }: TestService, email: string): Promise<string> => {
  const body = { firstName: 'Ada', lastName: 'Lovelace', email };
  return (await call('POST /api/v1/contacts', { body })).body.data.id;
};

const tagsOf = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/contacts/${id}`)).body.data.tags;

/** Starts a change, erases a person before its job runs, and runs the job. */
async function eraseBefore(service: TestService, erased: string, selected: object) {
  const admin = await signInAs(service, 'admin');
  const body = { ...selected, change: { addTags: ['vip'] } };
  const started = await admin.call(`POST ${V1}/contact-changes`, { body });
  const { id } = started.body.data;
  expect((await admin.call(`POST ${V1}/contacts/${erased}/erase`)).status).toBe(200);
  await runErasureOfMentions(service);
  await service.events();
  const { subAccountId, database } = service;
  await handleChangeContacts.handle({ subAccountId, bulkChangeId: id }, {
    ...service,
    signal: new AbortController().signal,
    execute: async (text: string, values: unknown[]) =>
      (await database.pool.query(text, values)).rowCount ?? 0,
  } as unknown as JobContext);
  const stored = await database.rows(
    'select from contact_bulk_changes where id = $1 and selection::text ~* $2',
    [id, EMAIL],
  );
  expect(stored).toEqual([]);
  return (await admin.call(`GET ${V1}/contact-changes/${id}`)).body.data;
}

describe('a change of many contacts that waits while a person is erased', () => {
  test('goes on with the other contacts that it names', async ({ service }) => {
    const erased = await create(service, EMAIL);
    const other = await create(service, 'other@example.com');
    const done = await eraseBefore(service, erased, { contactIds: [erased, other] });
    expect(done).toMatchObject({ status: 'done', processed: 1, changed: 1 });
    expect(await tagsOf(service, other)).toEqual(['vip']);
    expect(await service.eventNames()).toEqual(['contact.updated', 'contact.tag_added']);
  });

  test('ends without a contact if its filter is the address of the person', async ({ service }) => {
    const erased = await create(service, EMAIL);
    const other = await create(service, 'other@example.com');
    const done = await eraseBefore(service, erased, { filter: { search: EMAIL } });
    expect(done).toMatchObject({ status: 'done', processed: 0 });
    expect(await tagsOf(service, other)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });
});
