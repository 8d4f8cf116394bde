import { apply, exported } from '../../support/manifest.ts';
import { describe, expect, test } from '../../support/service.ts';

/** Values that the text form of an array in PostgreSQL has to quote. */
const ODD = [
  'null',
  'two words',
  'comma,',
  'line\nfeed',
  'tab\tin',
  'quote"',
  'back\\slash',
  '{braces}',
  'ü😀',
] as const;

describe('an array that is changed keeps each value', () => {
  test.for([
    ['contacts', { firstName: 'Ada', lastName: 'Lovelace' }],
    ['opportunities', { name: 'Roof' }],
  ] as const)('in the tags of %s', async ([path, body], { service }) => {
    const { call } = service;
    await apply(service, {
      pipelines: [{ key: 'sales', name: 'Sales', stages: [{ key: 'new', name: 'New' }] }],
    });
    const [pipeline] = (await call('GET /api/v1/pipelines')).body.data;
    const contact = (
      await call('POST /api/v1/contacts', { body: { firstName: 'Ben', lastName: 'B' } })
    ).body.data;
    const more = path === 'contacts' ? {} : { pipelineId: pipeline.id, contactId: contact.id };
    const created = await call(`POST /api/v1/${path}`, { body: { ...body, ...more } });
    expect(created.status).toBe(201);
    const one = `/api/v1/${path}/${created.body.data.id}`;
    for (const tags of [ODD, ['null'], []]) {
      const { status, body: changed } = await call(`PATCH ${one}`, { body: { tags } });
      expect([status, changed.data?.tags]).toEqual([200, tags]);
      expect((await call(`GET ${one}`)).body.data.tags).toEqual(tags);
    }
  });

  test('in the options of a field, which the exported manifest leaves unchanged', async ({
    service,
  }) => {
    const field = { name: 'size', label: 'Size', type: 'select' };
    for (const options of [['S'], [' outer blanks ', ...ODD], ODD.toReversed()]) {
      await apply(service, { customFields: [{ ...field, options }] });
      const manifest = await exported(service);
      expect(manifest.customFields).toMatchObject([{ options }]);
      expect(await apply(service, manifest)).toMatchObject({ updated: [], created: [] });
    }
  });
});
