import * as fc from 'fast-check';
import { refuseLongLists, withRoomFor } from '../../src/contacts/contact-change.ts';
import { ADDRESSES_MAX, TAGS_MAX } from '../../src/contacts/contact.schema.ts';
import { setUpForm, submitted } from '../forms/forms.support.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const ADA = { firstName: 'Ada', lastName: 'Lovelace' };
const many = (count: number, prefix = 'tag') =>
  Array.from({ length: count }, (_, n) => `${prefix} ${n}`);
const emails = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}@example.com`);

async function created(service: TestService, body: object): Promise<string> {
  const answer = await service.call('POST /api/v1/contacts', { body: { ...ADA, ...body } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  await service.events();
  return answer.body.data.id;
}

const contactOf = async ({ call }: TestService, id: string) =>
  (await call(`GET /api/v1/contacts/${id}`)).body.data;

/** Returns a refusal after checking that it changed nothing and fired nothing. */
async function refusal(service: TestService, id: string, line: string, body: object) {
  const before = await contactOf(service, id);
  const answer = await service.call(line, { body });
  expect(await contactOf(service, id)).toEqual(before);
  expect(await service.events()).toEqual([]);
  const { code, details } = answer.body.error ?? {};
  return { status: answer.status, code, ...details };
}

describe('a contact with the maximum number of tags', () => {
  test('gets no further tag from a bot', async ({ service }) => {
    const id = await created(service, { tags: many(TAGS_MAX) });
    const line = `PUT /api/v1/contacts/${id}/bot-update`;
    expect(await refusal(service, id, line, { operation: 'add_tag', value: 'more' })).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      reason: 'too_many_tags',
      limit: TAGS_MAX,
      issues: [
        {
          in: 'body',
          path: '/value',
          message: `would give the contact ${TAGS_MAX + 1} tags; at most ${TAGS_MAX} are allowed`,
        },
      ],
    });
    const known = { operation: 'add_tag', value: 'TAG 1' };
    expect((await service.call(line, { body: known })).status).toBe(200);
    expect(await service.events()).toEqual([]);
  });

  test('refuses a merge that would add a tag', async ({ service }) => {
    const id = await created(service, { tags: many(TAGS_MAX) });
    const contactId = await created(service, { tags: ['more', 'tag 1'] });
    const line = `POST /api/v1/contacts/${id}/merge`;
    expect(await refusal(service, id, line, { contactId })).toMatchObject({
      status: 400,
      reason: 'too_many_tags',
      issues: [{ path: '/contactId' }],
    });
    expect((await contactOf(service, contactId)).tags).toEqual(['more', 'tag 1']);
    const fitting = await created(service, { tags: ['tag 1'] });
    expect((await service.call(line, { body: { contactId: fitting } })).status).toBe(200);
  });

  test('gets no further tag from a form, which is accepted', async ({ service }) => {
    const id = await created(service, { email: 'ada@example.com', tags: many(TAGS_MAX - 1) });
    const field = (name: string) => ({ name, label: name, type: 'text', mapsTo: 'tags' });
    const formId = await setUpForm(service, {
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
        field('one'),
        field('two'),
      ],
    });
    await submitted(service, formId, { email: 'ada@example.com', one: 'first', two: 'second' });
    expect((await contactOf(service, id)).tags).toEqual([...many(TAGS_MAX - 1), 'first']);
    expect(await service.eventNames()).toEqual([
      'contact.updated',
      'contact.tag_added',
      'form.submitted',
    ]);
  });

  test('can lose some tags beyond the limit', async ({ service }) => {
    const id = await created(service, {});
    const set = 'update contacts set tags = $2 where id = $1';
    await service.database.rows(set, [id, many(TAGS_MAX + 5)]);
    const body = { operation: 'remove_tag', value: 'tag 0' };
    const answer = await service.call(`PUT /api/v1/contacts/${id}/bot-update`, { body });
    expect([answer.status, answer.body.data.tags.length]).toEqual([200, TAGS_MAX + 4]);
  });
});

test('a merge that would give a contact too many addresses is refused, and none is lost', async ({
  service,
}) => {
  const id = await created(service, {
    email: 'ada@example.com',
    additionalEmails: emails(ADDRESSES_MAX, 'a'),
  });
  const contactId = await created(service, { email: 'other@example.com' });
  const line = `POST /api/v1/contacts/${id}/merge`;
  expect(await refusal(service, id, line, { contactId })).toMatchObject({
    status: 400,
    reason: 'too_many_addresses',
    limit: ADDRESSES_MAX,
  });
  const found = await service.call('GET /api/v1/contacts?email=other@example.com');
  expect(found.body.data.map((one: any) => one.id)).toEqual([contactId]);
});

const tags = fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: TAGS_MAX + 50 });

test('no list grows beyond its limit, for any stored and any added values', () => {
  fc.assert(
    fc.property(tags, tags, (stored, given) => {
      const after = withRoomFor(stored, given);
      expect(after.length).toBeLessThanOrEqual(Math.max(TAGS_MAX, stored.length));
      const lists = (list: string[]) => ({
        tags: list,
        additionalEmails: list.slice(0, ADDRESSES_MAX),
        additionalPhones: [],
      });
      expect(() => refuseLongLists(lists(stored), lists(after))).not.toThrow();
      const beyond = [...after, ...many(TAGS_MAX + 1 - Math.min(after.length, TAGS_MAX))];
      expect(() => refuseLongLists(lists(stored), lists(beyond))).toThrow('at most 200');
    }),
  );
});
