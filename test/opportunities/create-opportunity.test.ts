import { apply } from '../support/manifest.ts';
import { contactOf, SALES, salesOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

/** The required fields of an opportunity. */
async function leastOf(service: TestService) {
  const { pipelineId, stages } = await salesOf(service);
  const contactId = await contactOf(service);
  await service.events();
  return { least: { name: 'Implant', pipelineId, contactId }, stages };
}

const create = (service: TestService, body: object, key = 'full') =>
  service.call('POST /api/v1/opportunities', { body, key });

describe('POST /api/v1/opportunities', () => {
  test("with required fields only creates it open, in the first stage and in the sub-account's currency", async ({
    service,
  }) => {
    await apply(service, { subAccount: { currency: 'CHF' } });
    const { least, stages } = await leastOf(service);
    const { status, body } = await create(service, least);

    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      ...least,
      stageId: stages.new,
      value: null,
      currency: 'CHF',
      status: 'open',
      assignedTo: null,
      tags: [],
      source: null,
      expectedCloseDate: null,
      lostReason: null,
      customFields: {},
      closedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: body.data.createdAt,
    });
    expect((await service.call(`GET /api/v1/opportunities/${body.data.id}`)).body).toEqual(body);
  });

  test('stores every field as given, and fires only opportunity.created', async ({ service }) => {
    const { ids } = await apply(service, { team: [{ key: 'anna', name: 'Anna' }] });
    const { least, stages } = await leastOf(service);
    const given = {
      ...least,
      stageId: stages.offer,
      value: 1_234.56,
      currency: 'USD',
      assignedTo: ids['team']?.['anna'],
      tags: ['hot', 'Spring'],
      source: 'fair',
      expectedCloseDate: 1_796_137_200_123,
      customFields: { chairs: 2, model: 'X–1', insured: false, 'a/b~c "d"': 'ü' },
    };
    const { status, body } = await create(service, given);

    expect([status, body.data]).toEqual([201, expect.objectContaining(given)]);
    expect(await service.events()).toEqual([
      {
        name: 'opportunity.created',
        contactId: least.contactId,
        data: {
          opportunityId: body.data.id,
          pipelineId: least.pipelineId,
          stageId: stages.offer,
          title: 'Implant',
          value: 1_234.56,
        },
      },
    ]);
  });

  test.for([0, -250.5, 0.1, 1e-7, 123_456_789.12, 9_007_199_254_740])(
    'returns a value of %d as it was given',
    async (value, { service }) => {
      const { least } = await leastOf(service);
      expect((await create(service, { ...least, value })).body.data.value).toBe(value);
    },
  );

  test('keeps the first spelling of a tag and drops repeats', async ({ service }) => {
    const { least } = await leastOf(service);
    const { body } = await create(service, { ...least, tags: ['Hot', ' hot ', 'x'] });
    expect(body.data.tags).toEqual(['Hot', 'x']);
  });

  test('drops custom fields that are null', async ({ service }) => {
    const { least } = await leastOf(service);
    const { body } = await create(service, { ...least, customFields: { a: null, b: 1 } });
    expect(body.data.customFields).toEqual({ b: 1 });
    const none = await create(service, { ...least, customFields: null });
    expect(none.body.data.customFields).toEqual({});
  });

  test.for([
    ['no name', { name: undefined }, '/name'],
    ['a blank name', { name: ' ' }, '/name'],
    ['no pipeline', { pipelineId: undefined }, '/pipelineId'],
    ['no contact', { contactId: undefined }, '/contactId'],
    ['a status', { status: 'won' }, '/status'],
    ['a lost reason', { lostReason: 'x' }, '/lostReason'],
    ['closedAt', { closedAt: 1 }, '/closedAt'],
    ['a value that is text', { value: '5' }, '/value'],
    ['a value above ten trillion', { value: 1e14 }, '/value'],
    ['a currency in lower case', { currency: 'eur' }, '/currency'],
    ['a currency that is not in ISO 4217', { currency: 'EUX' }, '/currency'],
    ['no currency', { currency: null }, '/currency'],
    ['a close date as text', { expectedCloseDate: '2027-01-31' }, '/expectedCloseDate'],
    ['half a millisecond', { expectedCloseDate: 1.5 }, '/expectedCloseDate'],
    [
      'a date after the year 9999',
      { expectedCloseDate: 253_402_300_800_000 },
      '/expectedCloseDate',
    ],
    ['a nested custom field', { customFields: { a: { b: 1 } } }, '/customFields/a'],
    ['a list as a custom field', { customFields: { a: [1] } }, '/customFields/a'],
    ['a custom field without a name', { customFields: { '': 1 } }, '/customFields/'],
    ['custom fields in a list', { customFields: [] }, '/customFields'],
    ['an unknown contact', { contactId: crypto.randomUUID() }, '/contactId'],
    ['an unknown pipeline', { pipelineId: crypto.randomUUID() }, '/pipelineId'],
    ['an unknown stage', { stageId: crypto.randomUUID() }, '/stageId'],
    ['an unknown assignee', { assignedTo: crypto.randomUUID() }, '/assignedTo'],
  ] as const)('refuses %s and writes nothing', async ([, change, path], { service }) => {
    const { least } = await leastOf(service);
    const reply = await create(service, { ...least, ...change });

    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const paths = reply.body.error.details.issues.map((issue: any) => [issue.in, issue.path]);
    expect(paths).toContainEqual(['body', path]);
    expect(await service.eventNames()).toEqual([]);
    expect((await service.call('GET /api/v1/opportunities')).body.meta.total).toBe(0);
  });

  test('accepts 100 custom fields and refuses 101', async ({ service }) => {
    const { least } = await leastOf(service);
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));
    const statuses = [100, 101].map(
      async (n) => (await create(service, { ...least, customFields: many(n) })).status,
    );
    expect(await Promise.all(statuses)).toEqual([201, 400]);
  });

  test('reports all foreign and unknown ids at once', async ({ service }) => {
    const { least } = await leastOf(service);
    const unknown = { contactId: crypto.randomUUID(), pipelineId: crypto.randomUUID() };
    const { body } = await create(service, { ...least, ...unknown });
    expect(body.error.details.issues.map(({ path }: any) => path)).toEqual([
      '/contactId',
      '/pipelineId',
    ]);
  });

  test('returns the same error for foreign and unknown records', async ({ service }) => {
    const { least, stages } = await leastOf(service);
    const theirs = await salesOf(service, 'other');
    const member = await apply(
      service,
      { team: [{ key: 'zoe', name: 'Zoe' }] },
      { to: service.otherSubAccountId },
    );
    for (const [name, foreign] of [
      ['contactId', await contactOf(service, 'other')],
      ['pipelineId', theirs.pipelineId],
      ['stageId', theirs.stages.new],
      ['assignedTo', member.ids['team']?.['zoe']],
    ] as const) {
      const ask = async (id: unknown) => {
        const { status, body } = await create(service, { ...least, [name]: id });
        return [status, body];
      };
      const answer = await ask(foreign);
      expect(answer).toMatchObject([
        400,
        { error: { details: { issues: [{ path: `/${name}` }] } } },
      ]);
      expect(answer).toEqual(await ask(crypto.randomUUID()));
    }
    expect(stages.new).not.toBe(theirs.stages.new);
    expect(await service.eventNames()).toEqual([]);
  });

  test('refuses a deleted contact, a stage of another pipeline and a pipeline without stages', async ({
    service,
  }) => {
    const { least } = await leastOf(service);
    const { ids } = await apply(service, {
      pipelines: [SALES, { ...SALES, key: 'other', name: 'Other' }, { key: 'bare', name: 'Bare' }],
    });
    const gone = await contactOf(service);
    await service.call(`DELETE /api/v1/contacts/${gone}`);
    for (const [change, path] of [
      [{ contactId: gone }, '/contactId'],
      [{ stageId: ids['stages']?.['other/new'] }, '/stageId'],
      [{ pipelineId: ids['pipelines']?.['bare'] }, '/pipelineId'],
    ] as const) {
      const { status, body } = await create(service, { ...least, ...change });
      expect([status, body.error.details.issues[0].path]).toEqual([400, path]);
    }
  });

  test('writes an audit row with the id of the opportunity', async ({ service }) => {
    const { least } = await leastOf(service);
    const { body } = await create(service, least);
    const [row] = await service.database.rows<any>(
      `select operation, record_id from audit_entries where sub_account_id = $1
       order by id desc limit 1`,
      [service.subAccountId],
    );
    expect(row).toEqual({ operation: 'opportunities.create', record_id: body.data.id });
  });
});
