import { apply, exported } from '../support/manifest.ts';
import { contactOf, dealOf, SALES, salesOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const [NEW, OFFER, WON] = SALES.stages as [any, any, any];
const HIRING = { key: 'hiring', name: 'Hiring', stages: [{ key: 'new', name: 'Applied' }] };

const shown = async ({ call }: TestService) =>
  (await call('GET /api/v1/pipelines')).body.data.map(({ name, stages }: any) => [
    name,
    ...stages.map((stage: any) => stage.name),
  ]);

const remove = (service: TestService, id: string) =>
  service.call(`DELETE /api/v1/opportunities/${id}`);

describe('pipelines of a manifest', () => {
  test('are created with ids for pipelines and stages, and no event', async ({ service }) => {
    const outcome = await apply(service, { pipelines: [SALES, HIRING] });
    expect(outcome).toMatchObject({
      created: [
        { section: 'pipelines', key: 'sales' },
        { section: 'pipelines', key: 'hiring' },
      ],
      ids: {
        pipelines: { sales: expect.any(String), hiring: expect.any(String) },
        stages: {
          'sales/new': expect.any(String),
          'sales/offer': expect.any(String),
          'sales/won': expect.any(String),
          'hiring/new': expect.any(String),
        },
      },
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('are unchanged the second time, with defaults omitted or written', async ({ service }) => {
    const first = await apply(service, { pipelines: [SALES, HIRING] });
    const again = await apply(service, { pipelines: [SALES, HIRING] }, { prune: true });
    expect(again).toMatchObject({ created: [], updated: [], unchanged: 2, ids: first.ids });
  });

  test('are exported as they were written', async ({ service }) => {
    await apply(service, { pipelines: [SALES, HIRING] });
    const { pipelines } = await exported(service);
    expect(pipelines).toEqual([
      SALES,
      { ...HIRING, stages: [{ key: 'new', name: 'Applied', probability: 0 }] },
    ]);
    expect((await apply(service, { pipelines })).unchanged).toBe(2);
    const copy = await apply(service, { pipelines }, { to: service.otherSubAccountId });
    expect(copy.created).toHaveLength(2);
    expect((await exported(service, service.otherSubAccountId)).pipelines).toEqual(pipelines);
  });

  test('keep the ids of stages that are renamed, reordered or get another probability', async ({
    service,
  }) => {
    const { ids } = await apply(service, { pipelines: [SALES] });
    const stages = [{ ...WON, probability: 99 }, NEW, { ...OFFER, name: 'Quote' }];
    const outcome = await apply(service, { pipelines: [{ ...SALES, stages }] });
    expect(outcome.updated).toMatchObject([
      { section: 'pipelines', key: 'sales', fields: ['stages'] },
    ]);
    expect(outcome.ids).toEqual(ids);
    expect(await shown(service)).toEqual([['Sales', 'Won', 'New', 'Quote']]);
  });

  test('can be reordered; the first is the default', async ({ service }) => {
    await apply(service, { pipelines: [SALES, HIRING] });
    await apply(service, { pipelines: [HIRING, SALES] });
    const { body } = await service.call('GET /api/v1/pipelines');
    expect(body.data.map(({ name, isDefault }: any) => [name, isDefault])).toEqual([
      ['Hiring', true],
      ['Sales', false],
    ]);
  });

  test('stay without --prune if the file does not name them', async ({ service }) => {
    await apply(service, { pipelines: [SALES] });
    const { removed } = await apply(service, { pipelines: [HIRING] });
    expect([removed, (await shown(service)).length]).toEqual([[], 2]);
    await apply(service, { pipelines: [HIRING] }, { prune: true });
    expect(await shown(service)).toEqual([['Hiring', 'Applied']]);
  });

  test('without a list of stages keep their stages', async ({ service }) => {
    await apply(service, { pipelines: [SALES] });
    const outcome = await apply(service, { pipelines: [{ key: 'sales', name: 'Deals' }] });
    expect(outcome.updated).toMatchObject([{ fields: ['name'] }]);
    expect(await shown(service)).toEqual([['Deals', 'New', 'Offer', 'Won']]);
  });

  test.for([
    ['a stage twice', { stages: [NEW, { ...NEW, key: 'NEW' }] }, '/pipelines/0/stages/1/key'],
    ['a probability above 100', { stages: [{ ...NEW, probability: 101 }] }, '/probability'],
    ['half a per cent', { stages: [{ ...NEW, probability: 0.5 }] }, '/probability'],
    ['a stage without a name', { stages: [{ key: 'new' }] }, '/name'],
    ['a stage with an unknown field', { stages: [{ ...NEW, color: 'red' }] }, '/color'],
    ['a pipeline without a name', { name: undefined }, '/pipelines/0/name'],
  ] as const)('with %s are refused by path', async ([, change, path], { service }) => {
    const applied = apply(service, { pipelines: [{ ...SALES, ...change }] });
    await expect(applied).rejects.toThrow(path);
    expect(await exported(service)).not.toHaveProperty('pipelines');
  });
});

describe('a stage that is missing in its pipeline', () => {
  const without = { pipelines: [{ ...SALES, name: 'Renamed', stages: [OFFER, WON] }] };

  test('is removed, also without --prune: a list in an entry is complete', async ({ service }) => {
    await apply(service, { pipelines: [SALES] });
    await apply(service, without);
    expect(await shown(service)).toEqual([['Renamed', 'Offer', 'Won']]);
  });

  test('cannot be removed while opportunities are in it: the apply is refused with their number', async ({
    service,
  }) => {
    await dealOf(service);
    await dealOf(service);
    const before = await exported(service);
    await expect(apply(service, without)).rejects.toThrow(
      /pipeline sales .* holds 2 opportunities .* 2 in its stage new/,
    );
    await expect(apply(service, without, { prune: true })).rejects.toThrow('2 opportunities');
    expect(await exported(service)).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('is removed once they were moved or deleted, and accepts no opportunity then', async ({
    service,
  }) => {
    const { stages } = await salesOf(service);
    const [moved, deleted] = [await dealOf(service), await dealOf(service)];
    await service.call(`PUT /api/v1/opportunities/${moved.id}/stage`, {
      body: { stageId: stages.offer },
    });
    await remove(service, deleted.id);
    await apply(service, without);
    const back = await service.call(`PUT /api/v1/opportunities/${moved.id}/stage`, {
      body: { stageId: stages.new },
    });
    expect([back.status, back.body.error.details.issues[0].path]).toEqual([400, '/stageId']);
    const { body } = await service.call('GET /api/v1/opportunities');
    expect([body.meta.total, body.data[0].stageId]).toEqual([1, stages.offer]);
  });
});

describe('a pipeline that --prune removes', () => {
  test('is refused with the number of its opportunities, closed ones too', async ({ service }) => {
    const { stages } = await salesOf(service);
    const { id } = await dealOf(service);
    await dealOf(service, { stageId: stages.won });
    await service.call(`PUT /api/v1/opportunities/${id}/status`, { body: { status: 'won' } });
    await apply(service, { pipelines: [HIRING] });
    const before = await exported(service);
    await expect(apply(service, { pipelines: [HIRING] }, { prune: true })).rejects.toThrow(
      /pipeline sales .* holds 2 opportunities .* 1 in its stage new, 1 in its stage won/,
    );
    expect(await exported(service)).toEqual(before);
  });

  test('is removed if it contains only deleted opportunities', async ({ service }) => {
    const { id } = await dealOf(service);
    await remove(service, id);
    const { removed } = await apply(service, {}, { prune: true });
    expect(removed).toEqual([{ section: 'pipelines', key: 'sales' }]);
    expect(await shown(service)).toEqual([]);
    expect(
      await service.database.rows('select pipeline_id, stage_id from opportunities where id = $1', [
        id,
      ]),
    ).toEqual([{ pipeline_id: null, stage_id: null }]);
  });

  test('and an opportunity created in it at the same time: exactly one succeeds, twenty times', async ({
    service,
  }) => {
    const contactId = await contactOf(service);
    for (let round = 0; round < 20; round += 1) {
      const { pipelineId } = await salesOf(service);
      const [pruned, created] = await Promise.all([
        apply(service, {}, { prune: true }).then(
          () => true,
          (error: Error) => expect(error.message).toContain('1 opportunity'),
        ),
        service.call('POST /api/v1/opportunities', {
          body: { name: 'Race', pipelineId, contactId },
        }),
      ]);
      expect([pruned === true, created.status]).toEqual(
        created.status === 201 ? [false, 201] : [true, 400],
      );
      if (created.status === 201) {
        await remove(service, created.body.data.id);
      }
    }
  });
});
