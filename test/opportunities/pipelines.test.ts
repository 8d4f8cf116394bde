import { apply } from '../support/manifest.ts';
import { contactOf, dealOf, SALES, salesOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

describe('GET /api/v1/pipelines', () => {
  test('returns all pipelines with their stages, both in order; the first is the default', async ({
    service,
  }) => {
    const { ids } = await apply(service, {
      pipelines: [SALES, { key: 'hiring', name: 'Hiring', stages: [] }],
    });
    const { status, body } = await service.call('GET /api/v1/pipelines');
    const id = (key: string) => ids['stages']?.[`sales/${key}`];
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: ids['pipelines']?.['sales'],
          name: 'Sales',
          position: 0,
          isDefault: true,
          stages: [
            { id: id('new'), name: 'New', position: 0, probability: 10 },
            { id: id('offer'), name: 'Offer', position: 1, probability: 50 },
            { id: id('won'), name: 'Won', position: 2, probability: 100 },
          ],
          ...times,
        },
        {
          id: ids['pipelines']?.['hiring'],
          name: 'Hiring',
          position: 1,
          isDefault: false,
          stages: [],
          ...times,
        },
      ],
    });
    expect(body.data[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const theirs = await service.call('GET /api/v1/pipelines', { key: 'other' });
    expect(theirs.body).toEqual({ data: [] });
  });
});

const summaryOf = async (service: TestService, id: string, key = 'full') =>
  service.call(`GET /api/v1/pipelines/${id}/summary`, { key });

describe('GET /api/v1/pipelines/{id}/summary', () => {
  test('counts and sums the open opportunities of each stage, by currency and weighted', async ({
    service,
  }) => {
    const { pipelineId, stages } = await salesOf(service);
    const contactId = await contactOf(service);
    const make = async (more: object) =>
      (
        await service.call('POST /api/v1/opportunities', {
          body: { name: 'D', pipelineId, contactId, ...more },
        })
      ).body.data.id;
    await make({ value: 0.1, currency: 'EUR' });
    await make({ value: 0.2, currency: 'EUR' });
    await make({ value: 100, currency: 'CHF' });
    await make({ currency: 'JPY' });
    await make({ value: 50, currency: 'EUR', stageId: stages.offer });
    const closed = [await make({ value: 1_000 }), await make({ value: 1_000 })];
    await service.call(`PUT /api/v1/opportunities/${closed[0]}/status`, {
      body: { status: 'won' },
    });
    await service.call(`DELETE /api/v1/opportunities/${closed[1]}`);

    const { status, body } = await summaryOf(service, pipelineId);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: pipelineId,
      name: 'Sales',
      stages: [
        {
          stageId: stages.new,
          name: 'New',
          position: 0,
          probability: 10,
          count: 4,
          values: [
            { currency: 'CHF', value: 100, weightedValue: 10 },
            { currency: 'EUR', value: 0.3, weightedValue: 0.03 },
          ],
        },
        {
          stageId: stages.offer,
          name: 'Offer',
          position: 1,
          probability: 50,
          count: 1,
          values: [{ currency: 'EUR', value: 50, weightedValue: 25 }],
        },
        {
          stageId: stages.won,
          name: 'Won',
          position: 2,
          probability: 100,
          count: 0,
          values: [],
        },
      ],
      totals: {
        count: 5,
        values: [
          { currency: 'CHF', value: 100, weightedValue: 10 },
          { currency: 'EUR', value: 50.3, weightedValue: 25.03 },
        ],
      },
    });
  });

  test('of a pipeline without stages is empty', async ({ service }) => {
    const { ids } = await apply(service, { pipelines: [{ key: 'bare', name: 'Bare' }] });
    const id = ids['pipelines']?.['bare'] ?? '';
    expect((await summaryOf(service, id)).body.data).toEqual({
      id,
      name: 'Bare',
      stages: [],
      totals: { count: 0, values: [] },
    });
  });

  test('is the same 404 for a foreign and an unknown pipeline', async ({ service }) => {
    const deal = await dealOf(service, {}, 'other');
    const answers = [];
    for (const id of [deal.pipelineId, crypto.randomUUID(), 'x']) {
      const { status, body } = await summaryOf(service, id);
      answers.push(`${status} ${body.error.code}`);
    }
    expect(answers).toEqual(Array(3).fill('404 NOT_FOUND'));
    expect((await summaryOf(service, deal.pipelineId, 'other')).status).toBe(200);
  });
});
