import { describe, expect, test, type TestService } from '../support/service.ts';
import { defineFields } from '../support/custom-fields.ts';

const created = async (service: TestService, body: object = {}): Promise<any> => {
  const reply = await service.call('POST /api/v1/contacts', {
    body: { firstName: 'Ada', lastName: 'Lovelace', tags: ['VIP'], city: 'London', ...body },
  });
  await service.events();
  return reply.body.data;
};

describe('PUT /api/v1/contacts/{id}/bot-update', () => {
  test.for([
    [
      'sets a standard field',
      { operation: 'set_field', field: 'company', value: 'ACM' },
      { company: 'ACM' },
    ],
    [
      'clears with an empty string',
      { operation: 'set_field', field: 'city', value: '' },
      { city: null },
    ],
    ['adds a tag', { operation: 'add_tag', value: 'lead' }, { tags: ['VIP', 'lead'] }],
    ['removes a tag in any case', { operation: 'remove_tag', value: 'vip' }, { tags: [] }],
    [
      'sets a text field',
      { operation: 'set_custom_field', field: 'note', value: 'x' },
      { customFields: { note: 'x' } },
    ],
    [
      'parses a number for a number field',
      { operation: 'set_custom_field', field: 'age', value: '5' },
      { customFields: { age: 5 } },
    ],
    [
      'sets a boolean field',
      { operation: 'set_custom_field', field: 'member', value: false },
      { customFields: { member: false } },
    ],
  ] as const)('%s', async ([, body, expected], { service }) => {
    await defineFields(service, [
      { name: 'note', type: 'text' },
      { name: 'age', type: 'number' },
      { name: 'member', type: 'boolean' },
    ]);
    const { id } = await created(service);
    const reply = await service.call(`PUT /api/v1/contacts/${id}/bot-update`, { body });

    expect([reply.status, reply.body.data]).toMatchObject([200, expected]);
  });

  test('emits the same events as a PATCH, and none without a change', async ({ service }) => {
    const { id } = await created(service);
    const update = async (body: object) => {
      const reply = await service.call(`PUT /api/v1/contacts/${id}/bot-update`, { body });
      expect(reply.status).toBe(200);
      return service.eventNames();
    };
    expect(await update({ operation: 'add_tag', value: 'new' })).toEqual([
      'contact.updated',
      'contact.tag_added',
    ]);
    expect(
      await update({ operation: 'set_field', field: 'lifecycleStage', value: 'customer' }),
    ).toEqual(['contact.updated', 'contact.lifecycle_changed']);
    expect(await update({ operation: 'remove_tag', value: 'NEW' })).toEqual(['contact.updated']);
    expect(await update({ operation: 'add_tag', value: 'vip' })).toEqual([]);
    expect(await update({ operation: 'remove_tag', value: 'no other contact has it' })).toEqual([]);
    expect(await update({ operation: 'set_field', field: 'city', value: 'London' })).toEqual([]);
  });

  test.for([
    ['source', { operation: 'set_field', field: 'source', value: 'x' }, '/field'],
    ['assignedTo', { operation: 'set_field', field: 'assignedTo', value: 'x' }, '/field'],
    ['tags as a field', { operation: 'set_field', field: 'tags', value: 'x' }, '/field'],
    ['no field', { operation: 'set_field', value: 'x' }, '/field'],
    ['__proto__', { operation: 'set_field', field: '__proto__', value: 'x' }, '/field'],
    ['no value', { operation: 'set_field', field: 'city' }, '/value'],
    ['a number for text', { operation: 'set_field', field: 'city', value: 5 }, '/value'],
    ['an object', { operation: 'set_field', field: 'city', value: {} }, '/value'],
    ['clearing a name', { operation: 'set_field', field: 'firstName', value: '' }, '/value'],
    [
      'clearing the stage',
      { operation: 'set_field', field: 'lifecycleStage', value: '' },
      '/value',
    ],
    ['a bad email', { operation: 'set_field', field: 'email', value: 'x' }, '/value'],
    ['a tag without a value', { operation: 'add_tag' }, '/value'],
    ['an empty tag', { operation: 'remove_tag', value: '' }, '/value'],
    ['a number as a tag', { operation: 'add_tag', value: 5 }, '/value'],
    [
      'an unknown custom field',
      { operation: 'set_custom_field', field: 'Age', value: 5 },
      '/field',
    ],
    ['text for a number', { operation: 'set_custom_field', field: 'age', value: 'five' }, '/value'],
    [
      'clearing a required field',
      { operation: 'set_custom_field', field: 'plan', value: '' },
      '/value',
    ],
    ['an unknown operation', { operation: 'drop', value: 5 }, '/operation'],
  ] as const)('refuses %s', async ([, body, path], { service }) => {
    await defineFields(service, [
      { name: 'age', type: 'number' },
      { name: 'plan', type: 'select', options: ['a', 'b'], isRequired: true },
    ]);
    const { id } = await created(service, { customFields: { plan: 'a' } });
    const reply = await service.call(`PUT /api/v1/contacts/${id}/bot-update`, { body });

    expect([reply.status, reply.body.error?.details.issues[0].path]).toEqual([400, path]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('names the refused field', async ({ service }) => {
    const { id } = await created(service);
    const body = { operation: 'set_field', field: 'source', value: 'x' };
    const { body: reply } = await service.call(`PUT /api/v1/contacts/${id}/bot-update`, { body });
    expect(reply.error.details.issues[0].message).toMatch(/^must be one of .*, not "source"$/);
  });
});
