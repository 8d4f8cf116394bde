import type { JobContext } from '#core/job.ts';
import { handleChangeContacts } from '../../src/console/contacts/run-bulk-change.ts';
import { keepHouse } from '../support/keep-house.ts';
import { apply } from '../support/manifest.ts';
import { signInAs, type Browser } from '../support/people.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { contactIn } from '../workflows/workflows.support.ts';

const V1 = '/console/api/v1';

const newContact = async ({ call }: TestService, more: object = {}): Promise<string> =>
  (await call('POST /api/v1/contacts', { body: { firstName: 'Ada', lastName: 'L', ...more } })).body
    .data.id;

const contextOf = (service: TestService, more: Partial<JobContext> = {}) =>
  ({
    ...service,
    attempt: 1,
    signal: new AbortController().signal,
    async execute(text: string, values: readonly unknown[] = []) {
      return (await service.database.pool.query(text, [...values])).rowCount ?? 0;
    },
    ...more,
  }) as unknown as JobContext;

const run = (service: TestService, bulkChangeId: string, more: Partial<JobContext> = {}) =>
  handleChangeContacts.handle(
    { subAccountId: service.subAccountId, bulkChangeId },
    contextOf(service, more),
  );

/** Starts a change of many contacts, runs its job, and returns the change. */
async function changed(service: TestService, { call }: Browser, body: object) {
  const started = await call(`POST ${V1}/contact-changes`, { body });
  expect(started.status).toBe(202);
  await run(service, started.body.data.id);
  return (await call(`GET ${V1}/contact-changes/${started.body.data.id}`)).body.data;
}

const tagsOf = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/contacts/${id}`)).body.data.tags;

const named = async (service: TestService) =>
  (await service.events()).map(({ name, contactId }) => [name, contactId]);

describe('a change of many contacts', () => {
  test('tags and untags selected contacts, and fires the events of each that changes', async ({
    service,
  }) => {
    const agent = await signInAs(service, 'agent');
    const first = await newContact(service, { tags: ['Old', 'kept'] });
    const second = await newContact(service, { tags: ['VIP'] });
    const other = await newContact(service);
    await service.events();
    const change = { addTags: ['vip'], removeTags: ['old'] };
    const done = await changed(service, agent, { contactIds: [first, second], change });
    expect(done).toMatchObject({
      status: 'done',
      total: 2,
      processed: 2,
      changed: 1,
      refused: 0,
      error: null,
    });
    expect(await tagsOf(service, first)).toEqual(['kept', 'vip']);
    expect(await tagsOf(service, second)).toEqual(['VIP']);
    expect(await tagsOf(service, other)).toEqual([]);
    expect(await named(service)).toEqual([
      ['contact.updated', first],
      ['contact.tag_added', first],
    ]);
  });

  test('covers every contact that the filter finds, in batches, and none that came later', async ({
    service,
  }) => {
    const agent = await signInAs(service, 'agent');
    await service.database.rows(
      `insert into contacts (sub_account_id, id, first_name, last_name, tags, lifecycle_stage,
         created_at, updated_at)
       select $1, gen_random_uuid(), 'Ada', n::text, '{}', 'lead', now() - interval '1 year', now()
       from generate_series(1, 250) as n`,
      [service.subAccountId],
    );
    await newContact(service, { lifecycleStage: 'customer' });
    const body = { filter: { lifecycleStage: 'lead' }, change: { addTags: ['call'] } };
    const { id } = (await agent.call(`POST ${V1}/contact-changes`, { body })).body.data;
    service.clock.advance(60_000);
    const late = await newContact(service);
    await run(service, id);
    const { data } = (await agent.call(`GET ${V1}/contact-changes/${id}`)).body;
    expect(data).toMatchObject({ status: 'done', total: 250, processed: 250, changed: 250 });
    expect(await tagsOf(service, late)).toEqual([]);
    const events = (await service.eventNames()).filter((name) => name !== 'contact.created');
    expect(events).toHaveLength(500);
  });

  test('continues after an interruption, without changing a contact twice', async ({ service }) => {
    const agent = await signInAs(service, 'agent');
    const ids = [];
    for (let n = 0; n < 101; n += 1) {
      ids.push(await newContact(service));
    }
    const body = { contactIds: ids, change: { addTags: ['call'] } };
    const { id } = (await agent.call(`POST ${V1}/contact-changes`, { body })).body.data;
    const stopping = new AbortController();
    stopping.abort(new Error('the worker stops'));
    await expect(run(service, id, { signal: stopping.signal })).rejects.toThrow('stops');
    const half = (await agent.call(`GET ${V1}/contact-changes/${id}`)).body.data;
    expect(half).toMatchObject({ status: 'running', processed: 100 });
    await run(service, id, { attempt: 2 });
    await run(service, id, { attempt: 3 });
    const { data } = (await agent.call(`GET ${V1}/contact-changes/${id}`)).body;
    expect(data).toMatchObject({ status: 'done', processed: 101, changed: 101 });
    const added = (await service.eventNames()).filter((name) => name === 'contact.tag_added');
    expect(added).toHaveLength(101);
  });

  test.for([
    ['is disabled', `update users set disabled_at = now()`],
    ['reads only', `update memberships set role = 'viewer'`],
    ['has left the sub-account', 'delete from memberships'],
  ] as const)('ends once the user who started it %s', async ([, end], { service }) => {
    const agent = await signInAs(service, 'agent');
    const id = await newContact(service);
    const body = { contactIds: [id], change: { addTags: ['call'] } };
    const started = (await agent.call(`POST ${V1}/contact-changes`, { body })).body.data;
    await service.database.rows(end);
    await run(service, started.id);
    const states = await service.database.rows(
      'select status, error, processed from contact_bulk_changes where id = $1',
      [started.id],
    );
    const error = `${agent.email} lost the access that this needs`;
    expect(states).toEqual([{ status: 'failed', error, processed: 0 }]);
    expect(await tagsOf(service, id)).toEqual([]);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('is stopped after the batch that is under way, and an ended one stays as it is', async ({
    service,
  }) => {
    const agent = await signInAs(service, 'agent');
    const ids = [];
    for (let n = 0; n < 101; n += 1) {
      ids.push(await newContact(service));
    }
    await service.events();
    const body = { contactIds: ids, change: { addTags: ['call'] } };
    const { id } = (await agent.call(`POST ${V1}/contact-changes`, { body })).body.data;
    const stop = async () => (await agent.call(`POST ${V1}/contact-changes/${id}/stop`)).body.data;
    const stopping: JobContext['transact'] = async (...args) => {
      const outcome = await service.transact(...args);
      expect(await stop()).toMatchObject({ status: 'stopped', processed: 100 });
      return outcome;
    };
    await run(service, id, { transact: stopping });
    await run(service, id);
    expect(await stop()).toMatchObject({ status: 'stopped', total: 101, changed: 100 });
    const names = await service.eventNames();
    expect(names.filter((name) => name === 'contact.tag_added')).toHaveLength(100);
    expect(names).toHaveLength(200);
    const unknown = `POST ${V1}/contact-changes/${crypto.randomUUID()}/stop`;
    expect((await agent.call(unknown)).status).toBe(404);
  });

  test('leaves contacts alone that have no room for a tag, and counts them', async ({
    service,
  }) => {
    const agent = await signInAs(service, 'agent');
    const full = await newContact(service, {
      tags: Array.from({ length: 200 }, (_, index) => `tag ${index}`),
    });
    const done = await changed(service, agent, {
      contactIds: [full],
      change: { addTags: ['one more'] },
    });
    expect(done).toMatchObject({ status: 'done', processed: 1, changed: 0, refused: 1 });
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('assigns contacts to a member, and removes the assignment', async ({ service }) => {
    await apply(service, 'team: [{key: anna, name: Anna, email: anna@harbour.example}]');
    const agent = await signInAs(service, 'agent');
    const id = await newContact(service);
    const [{ id: memberId }] = (await service.call('GET /api/v1/team')).body.data;
    const assigned = async () =>
      (await service.call(`GET /api/v1/contacts/${id}`)).body.data.assignedTo;
    await changed(service, agent, { contactIds: [id], change: { assignedTo: memberId } });
    expect(await assigned()).toBe(memberId);
    await changed(service, agent, { contactIds: [id], change: { assignedTo: null } });
    expect(await assigned()).toBeNull();
    expect((await service.eventNames()).filter((name) => name.startsWith('contact.'))).toEqual([
      'contact.created',
      'contact.updated',
      'contact.updated',
    ]);
    const unknown = { contactIds: [id], change: { assignedTo: crypto.randomUUID() } };
    const refused = await agent.call(`POST ${V1}/contact-changes`, { body: unknown });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('is not a team member'),
    ]);
  });

  test('needs ids or a filter, and something to change', async ({ service }) => {
    const { call } = await signInAs(service, 'agent');
    const id = await newContact(service);
    const change = { addTags: ['a'] };
    for (const body of [
      { change },
      { contactIds: [id], filter: {}, change },
      { contactIds: [id], change: {} },
      { contactIds: [], change },
    ]) {
      expect((await call(`POST ${V1}/contact-changes`, { body })).status).toBe(400);
    }
    const foreign = await contactIn(service, service.otherSubAccountId);
    const body = { contactIds: [foreign], change };
    const answer = await call(`POST ${V1}/contact-changes`, { body });
    expect(answer.body.data.total).toBe(0);
  });

  test('names the user in the audit trail, and is given up after a day', async ({ service }) => {
    const admin = await signInAs(service, 'admin');
    const id = await newContact(service);
    const body = { contactIds: [id], change: { addTags: ['a'] } };
    const first = await changed(service, admin, body);
    const { body: audit } = await admin.call(`GET ${V1}/audit?recordId=${first.id}`);
    expect(audit.data.map(({ operation }: any) => operation)).toEqual([
      'contacts.change-many',
      'contacts.change-many',
    ]);
    const second = (await admin.call(`POST ${V1}/contact-changes`, { body })).body.data;
    await service.database.rows(
      `update contact_bulk_changes set updated_at = now() - interval '25 hours' where id = $1`,
      [second.id],
    );
    await keepHouse(service);
    const { data } = (await admin.call(`GET ${V1}/contact-changes/${second.id}`)).body;
    expect(data).toMatchObject({ status: 'failed', error: expect.stringContaining('given up') });
    await run(service, second.id);
    expect(await tagsOf(service, id)).toEqual(['a']);
  });
});
