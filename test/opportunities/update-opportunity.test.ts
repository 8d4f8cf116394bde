import { apply } from '../support/manifest.ts';
import { contactOf, dealOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const patch = (service: TestService, id: string, body: object) =>
  service.call(`PATCH /api/v1/opportunities/${id}`, { body });

describe('PATCH /api/v1/opportunities/{id}', () => {
  test('changes only the given fields and fires only opportunity.updated', async ({ service }) => {
    const before = await dealOf(service, { source: 'fair' });
    const { status, body } = await patch(service, before.id, { value: 900, name: 'Implants' });

    expect([status, body.data]).toEqual([
      200,
      { ...before, value: 900, name: 'Implants', updatedAt: expect.any(String) },
    ]);
    expect(body.data.updatedAt > before.updatedAt).toBe(true);
    expect(await service.events()).toEqual([
      {
        name: 'opportunity.updated',
        contactId: before.contactId,
        data: {
          opportunityId: before.id,
          pipelineId: before.pipelineId,
          name: 'Implants',
          value: 900,
          status: 'open',
          changedFields: ['name', 'value'],
        },
      },
    ]);
  });

  test('lists all changed fields by API name, in order', async ({ service }) => {
    const { ids } = await apply(service, { team: [{ key: 'anna', name: 'Anna' }] });
    const { id } = await dealOf(service);
    const contactId = await contactOf(service);
    await service.events();
    await patch(service, id, {
      customFields: { a: 1 },
      expectedCloseDate: 1_796_137_200_000,
      source: 'web',
      tags: ['x'],
      assignedTo: ids['team']?.['anna'],
      currency: 'EUR',
      value: 1,
      name: 'New name',
      contactId,
    });
    expect(await service.events()).toMatchObject([
      {
        contactId,
        data: {
          changedFields: [
            'contactId',
            'name',
            'value',
            'currency',
            'assignedTo',
            'tags',
            'source',
            'expectedCloseDate',
            'customFields',
          ],
        },
      },
    ]);
  });

  const FULL = {
    value: 12.5,
    tags: ['Hot', 'x'],
    source: 'fair',
    expectedCloseDate: 1_796_137_200_000,
    customFields: { b: 2, a: 'one', c: true },
  };

  test.for([
    ['nothing', {}],
    ['the current value', FULL],
    ['tags in another case', { tags: ['HOT', 'x', 'X'] }],
    ['custom fields in another order', { customFields: { c: true, a: 'one' } }],
    ['null for a custom field that is not set', { customFields: { z: null } }],
  ] as const)(
    'with %s returns 200, fires nothing and keeps updatedAt',
    async ([, body], { service }) => {
      const before = await dealOf(service, FULL);
      const reply = await patch(service, before.id, body);
      expect([reply.status, reply.body.data]).toEqual([200, before]);
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('merges custom fields by key, and null clears one or all', async ({ service }) => {
    const { id } = await dealOf(service, FULL);
    const after = async (customFields: unknown) =>
      (await patch(service, id, { customFields })).body.data.customFields;
    expect(await after({ a: null, d: 4 })).toEqual({ b: 2, c: true, d: 4 });
    expect(await after(null)).toEqual({});
  });

  test('clears optional fields with null', async ({ service }) => {
    const { id } = await dealOf(service, FULL);
    const { body } = await patch(service, id, {
      value: null,
      source: null,
      expectedCloseDate: null,
      tags: [],
    });
    expect(body.data).toMatchObject({
      value: null,
      source: null,
      expectedCloseDate: null,
      tags: [],
    });
    expect(await service.events()).toMatchObject([
      { data: { value: null, changedFields: ['value', 'tags', 'source', 'expectedCloseDate'] } },
    ]);
  });

  test.for([
    ['status', { status: 'won' }, 'PUT /api/v1/opportunities/{id}/status'],
    ['lostReason', { lostReason: 'x' }, 'PUT /api/v1/opportunities/{id}/status'],
    ['stageId', { stageId: crypto.randomUUID() }, 'PUT /api/v1/opportunities/{id}/stage'],
    ['pipelineId', { pipelineId: crypto.randomUUID() }, 'POST /api/v1/opportunities'],
  ] as const)('refuses %s and names the right call', async ([name, body, call], { service }) => {
    const before = await dealOf(service);
    const reply = await patch(service, before.id, { ...body, value: 7 });
    expect([reply.status, reply.body.error.details.issues]).toEqual([
      400,
      [{ in: 'body', path: `/${name}`, message: expect.stringContaining(call) }],
    ]);
    expect(reply.body.error.message).toContain(call);
    const { body: after } = await service.call(`GET /api/v1/opportunities/${before.id}`);
    expect(after.data).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
    expect((await patch(service, crypto.randomUUID(), body)).status).toBe(404);
  });

  test.for([
    ['null for its name', { name: null }, '/name'],
    ['null for its contact', { contactId: null }, '/contactId'],
    ['null for its currency', { currency: null }, '/currency'],
    ['null for its tags', { tags: null }, '/tags'],
    ['closedAt', { closedAt: null }, '/closedAt'],
    ['an unknown assignee', { assignedTo: crypto.randomUUID() }, '/assignedTo'],
    ['an unknown contact', { contactId: crypto.randomUUID() }, '/contactId'],
    ['a currency that is not in ISO 4217', { currency: 'XYZ' }, '/currency'],
  ] as const)('refuses %s and writes nothing', async ([, body, path], { service }) => {
    const before = await dealOf(service);
    const reply = await patch(service, before.id, { name: 'Other', ...body });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, path]);
    const { body: after } = await service.call(`GET /api/v1/opportunities/${before.id}`);
    expect(after.data).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses more than a hundred custom fields in total', async ({ service }) => {
    const fields = (from: number) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${from + n}`, n]));
    const { id } = await dealOf(service, { customFields: fields(0) });
    const reply = await patch(service, id, { customFields: fields(60) });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, '/customFields']);
  });

  test('two simultaneous changes of different fields both apply, twenty times', async ({
    service,
  }) => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await dealOf(service);
      const replies = await Promise.all([
        patch(service, id, { value: round + 1 }),
        patch(service, id, { source: `s${round}` }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const { body } = await service.call(`GET /api/v1/opportunities/${id}`);
      expect(body.data).toMatchObject({ value: round + 1, source: `s${round}` });
      const fired = await service.events();
      expect(fired).toHaveLength(2);
      expect(new Set(fired.flatMap(({ data }) => data.changedFields))).toEqual(
        new Set(['source', 'value']),
      );
    }
  });
});
