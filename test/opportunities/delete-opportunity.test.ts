import { contactOf, dealOf, salesOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const remove = (service: TestService, id: string) =>
  service.call(`DELETE /api/v1/opportunities/${id}`);

const read = (service: TestService, id: string) => service.call(`GET /api/v1/opportunities/${id}`);

describe('DELETE /api/v1/opportunities/{id}', () => {
  test('returns its id and fires only opportunity.deleted; a second call is 404', async ({
    service,
  }) => {
    const { id, pipelineId, contactId } = await dealOf(service);
    const reply = await remove(service, id);
    expect([reply.status, reply.body]).toEqual([200, { data: { id, deleted: true } }]);
    expect(await service.events()).toEqual([
      {
        name: 'opportunity.deleted',
        contactId,
        data: { opportunityId: id, pipelineId, name: 'Implant' },
      },
    ]);
    expect((await remove(service, id)).status).toBe(404);
    expect((await read(service, id)).status).toBe(404);
    expect((await service.call('GET /api/v1/opportunities')).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    expect(await service.eventNames()).toEqual([]);
  });

  test('of two simultaneous deletions exactly one succeeds, twenty times', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await dealOf(service);
      const replies = await Promise.all([remove(service, id), remove(service, id)]);
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
      expect(await service.eventNames()).toEqual(['opportunity.deleted']);
    }
  });

  test('with a simultaneous move leaves the opportunity deleted, twenty times', async ({
    service,
  }) => {
    const { stages } = await salesOf(service);
    for (let round = 0; round < 20; round += 1) {
      const { id } = await dealOf(service);
      const [deleted, moved] = await Promise.all([
        remove(service, id),
        service.call(`PUT /api/v1/opportunities/${id}/stage`, { body: { stageId: stages.won } }),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(moved.status);
      const names = await service.eventNames();
      expect(names.toSorted()).toEqual(
        moved.status === 200
          ? ['opportunity.deleted', 'opportunity.stage_changed']
          : ['opportunity.deleted'],
      );
      expect((await read(service, id)).status).toBe(404);
    }
  });
});

describe('the contact of an opportunity', () => {
  const merge = (service: TestService, kept: string, other: string) =>
    service.call(`POST /api/v1/contacts/${kept}/merge`, { body: { contactId: other } });

  test('that is deleted does not change it', async ({ service }) => {
    const before = await dealOf(service);
    await service.call(`DELETE /api/v1/contacts/${before.contactId}`);
    expect((await read(service, before.id)).body.data).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
    const patched = await service.call(`PATCH /api/v1/opportunities/${before.id}`, {
      body: { value: 3, contactId: before.contactId },
    });
    expect(patched.body.data).toMatchObject({ value: 3, contactId: before.contactId });
  });

  test('that is merged hands it to the kept contact, without an event of the opportunity', async ({
    service,
  }) => {
    const deal = await dealOf(service);
    const theirs = await dealOf(service, { name: 'A foreign one' });
    const gone = await dealOf(service, { contactId: deal.contactId });
    await remove(service, gone.id);
    const kept = await contactOf(service);
    await service.events();
    expect((await merge(service, kept, deal.contactId)).status).toBe(200);
    const after = (await read(service, deal.id)).body.data;
    expect(after).toEqual({ ...deal, contactId: kept, updatedAt: expect.any(String) });
    expect(after.updatedAt > deal.updatedAt).toBe(true);
    expect((await read(service, theirs.id)).body.data).toEqual(theirs);
    expect(await service.eventNames()).toEqual([]);
  });

  test('that is merged keeps no opportunity that is created meanwhile, twenty times', async ({
    service,
  }) => {
    const { pipelineId } = await salesOf(service);
    for (let round = 0; round < 20; round += 1) {
      const [kept, other] = [await contactOf(service), await contactOf(service)];
      const [merged, created] = await Promise.all([
        merge(service, kept, other),
        service.call('POST /api/v1/opportunities', {
          body: { name: 'Race', pipelineId, contactId: other },
        }),
      ]);
      expect(merged.status).toBe(200);
      expect([201, 400]).toContain(created.status);
      if (created.status === 201) {
        const { data } = (await read(service, created.body.data.id)).body;
        expect(data.contactId).toBe(kept);
      }
    }
  });

  test('that is merged keeps no opportunity that moves to it meanwhile, twenty times', async ({
    service,
  }) => {
    const { id } = await dealOf(service);
    for (let round = 0; round < 20; round += 1) {
      const [kept, other] = [await contactOf(service), await contactOf(service)];
      const [merged, patched] = await Promise.all([
        merge(service, kept, other),
        service.call(`PATCH /api/v1/opportunities/${id}`, { body: { contactId: other } }),
      ]);
      expect(merged.status).toBe(200);
      expect([200, 400]).toContain(patched.status);
      expect((await read(service, id)).body.data.contactId).not.toBe(other);
    }
  });
});
