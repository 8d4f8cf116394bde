import { describe, expect, test } from '../support/service.ts';
import { defineFields } from '../support/custom-fields.ts';
import { issueWith } from '../../src/contacts/fields/custom-field.ts';

const ada = { firstName: 'Ada', lastName: 'Lovelace' };

test.for([
  ['text', 'x', true],
  ['text', 5, false],
  ['text', 'x'.repeat(5_001), false],
  ['number', 5.5, true],
  ['number', '5', false],
  ['boolean', false, true],
  ['boolean', 'false', false],
  ['select', 'a', true],
  ['select', 'A', false],
  ['date', '2026-02-28', true],
  ['date', '2026-02-30', false],
  ['url', 'https://example.com/x', true],
  ['url', 'javascript:alert(1)', false],
  ['email', 'a@b.example', true],
  ['email', 'a b@c', false],
  ['phone', '+4930123456', true],
  ['phone', '0301234', false],
] as const)('a %s field given %j fits: %s', ([type, value, fits]) => {
  const field = { name: 'f', label: 'F', type, options: ['a'], isRequired: false };
  expect(issueWith(field, value) === undefined).toBe(fits);
});

describe('customFields', () => {
  test('GET /contacts/fields lists the definitions in their order', async ({ service }) => {
    await defineFields(service, [
      { name: 'plan', type: 'select', options: ['a', 'b'], isRequired: true },
      { name: 'age', type: 'number' },
    ]);
    const { body } = await service.call('GET /api/v1/contacts/fields');
    expect(body).toEqual({
      data: [
        { name: 'plan', label: 'plan', type: 'select', options: ['a', 'b'], isRequired: true },
        { name: 'age', label: 'age', type: 'number', options: null, isRequired: false },
      ],
    });
  });

  test('a required field must be set on create and cannot be cleared on PATCH', async ({
    service,
  }) => {
    await defineFields(service, [
      { name: 'plan', type: 'text', isRequired: true },
      { name: 'age', type: 'number' },
    ]);
    const missing = await service.call('POST /api/v1/contacts', { body: ada });
    expect([missing.status, missing.body.error.details.issues]).toEqual([
      400,
      [{ in: 'body', path: '/customFields/plan', message: 'is required' }],
    ]);
    const blank = { body: { ...ada, customFields: { plan: ' ' } } };
    expect((await service.call('POST /api/v1/contacts', blank)).status).toBe(400);
    const { body } = await service.call('POST /api/v1/contacts', {
      body: { ...ada, customFields: { plan: 'x', age: 3 } },
    });
    const line = `PATCH /api/v1/contacts/${body.data.id}`;
    const merged = await service.call(line, { body: { customFields: { age: null } } });
    expect(merged.body.data.customFields).toEqual({ plan: 'x' });
    for (const customFields of [{ plan: null }, null, { plan: '' }, { plan: ' ' }]) {
      const refused = await service.call(line, { body: { customFields } });
      expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([
        400,
        '/customFields/plan',
      ]);
    }
    expect(await service.eventNames()).toEqual(['contact.created', 'contact.updated']);
  });

  test('an unknown field is refused with the similar one and those that exist', async ({
    service,
  }) => {
    const messageOf = async (customFields: object) => {
      const reply = await service.call('POST /api/v1/contacts', { body: { ...ada, customFields } });
      return [reply.status, reply.body.error.details.issues[0].message];
    };
    expect(await messageOf({ plna: 'x' })).toEqual([
      400,
      'is not a custom field of this sub-account; it has none; define them in the section customFields of the manifest',
    ]);
    await defineFields(service, [
      { name: 'plan', type: 'text' },
      { name: 'age', type: 'number' },
    ]);
    expect(await messageOf({ plna: 'x' })).toEqual([
      400,
      'is not a custom field of this sub-account; did you mean "plan"; it has plan, age',
    ]);
    expect(await messageOf({ zzz: 'x' })).toEqual([
      400,
      'is not a custom field of this sub-account; it has plan, age',
    ]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('a new definition applies to a running server at once', async ({ service }) => {
    const create = () =>
      service.call('POST /api/v1/contacts', { body: { ...ada, customFields: { late: 'x' } } });
    expect((await create()).status).toBe(400);
    await defineFields(service, [{ name: 'late', type: 'text' }]);
    expect((await create()).status).toBe(201);
  });
});
