import { apply } from '../support/manifest.ts';
import { dealOf, SALES, salesOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const move = (service: TestService, id: string, stageId: string | undefined) =>
  service.call(`PUT /api/v1/opportunities/${id}/stage`, { body: { stageId } });

describe('PUT /api/v1/opportunities/{id}/stage', () => {
  test('moves it and fires only opportunity.stage_changed', async ({ service }) => {
    const { stages } = await salesOf(service);
    const before = await dealOf(service);
    const { status, body } = await move(service, before.id, stages.offer);

    expect([status, body.data]).toEqual([
      200,
      { ...before, stageId: stages.offer, updatedAt: expect.any(String) },
    ]);
    expect(await service.events()).toEqual([
      {
        name: 'opportunity.stage_changed',
        contactId: before.contactId,
        data: {
          opportunityId: before.id,
          pipelineId: before.pipelineId,
          fromStageId: stages.new,
          toStageId: stages.offer,
          title: 'Implant',
        },
      },
    ]);
  });

  test('to its own stage returns 200 and fires nothing', async ({ service }) => {
    const before = await dealOf(service);
    const { status, body } = await move(service, before.id, before.stageId.toUpperCase());
    expect([status, body.data]).toEqual([200, before]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('to a foreign or unknown stage, or a stage of another pipeline, is refused with the same error', async ({
    service,
  }) => {
    const before = await dealOf(service);
    const theirs = await salesOf(service, 'other');
    const { ids } = await apply(service, {
      pipelines: [{ ...SALES, key: 'other', name: 'Other' }],
    });
    const answers = [];
    for (const stageId of [ids['stages']?.['other/new'], theirs.stages.new, crypto.randomUUID()]) {
      const { status, body } = await move(service, before.id, stageId);
      expect([status, body.error.details.issues[0].path]).toEqual([400, '/stageId']);
      answers.push(body);
    }
    expect(new Set(answers.map((body) => JSON.stringify(body))).size).toBe(1);
    const { body } = await service.call(`GET /api/v1/opportunities/${before.id}`);
    expect(body.data).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('moves a won opportunity too, and keeps its status', async ({ service }) => {
    const { stages } = await salesOf(service);
    const { id } = await dealOf(service);
    await service.call(`PUT /api/v1/opportunities/${id}/status`, { body: { status: 'won' } });
    await service.events();
    const { body } = await move(service, id, stages.won);
    expect(body.data).toMatchObject({ status: 'won', stageId: stages.won });
    expect(await service.eventNames()).toEqual(['opportunity.stage_changed']);
  });

  test('twice at once fires events that form one chain of stages, twenty times', async ({
    service,
  }) => {
    const { stages } = await salesOf(service);
    for (let round = 0; round < 20; round += 1) {
      const { id } = await dealOf(service);
      const replies = await Promise.all([
        move(service, id, stages.offer),
        move(service, id, stages.won),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const fired = await service.events();
      const { body } = await service.call(`GET /api/v1/opportunities/${id}`);
      const [first, second] = fired.map(({ data }) => data);
      const steps = first.fromStageId === stages.new ? [first, second] : [second, first];
      expect(fired.map(({ name }) => name)).toEqual(Array(2).fill('opportunity.stage_changed'));
      expect(steps[0].fromStageId).toBe(stages.new);
      expect(steps[1].fromStageId).toBe(steps[0].toStageId);
      expect(steps[1].toStageId).toBe(body.data.stageId);
    }
  });

  test('twice at once to the same stage fires once, twenty times', async ({ service }) => {
    const { stages } = await salesOf(service);
    for (let round = 0; round < 20; round += 1) {
      const { id } = await dealOf(service);
      await Promise.all([move(service, id, stages.offer), move(service, id, stages.offer)]);
      expect(await service.eventNames()).toEqual(['opportunity.stage_changed']);
    }
  });
});
