import {
  markOpportunity,
  setOpportunityStatus,
} from '../../src/opportunities/set-opportunity-status.ts';
import { dealOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const set = (service: TestService, id: string, status: string, more: object = {}) =>
  service.call(`PUT /api/v1/opportunities/${id}/status`, { body: { status, ...more } });

describe('PUT /api/v1/opportunities/{id}/status', () => {
  test.for(['won', 'lost', 'abandoned'] as const)(
    'to %s closes it now and fires opportunity.updated, never won or lost',
    async (status, { service }) => {
      const before = await dealOf(service, { value: 5 });
      const reply = await set(service, before.id, status);
      const { data } = reply.body;
      expect(data).toEqual({
        ...before,
        status,
        closedAt: Date.parse(data.updatedAt),
        updatedAt: expect.any(String),
      });
      expect(reply.status).toBe(200);
      expect(await service.events()).toEqual([
        {
          name: 'opportunity.updated',
          contactId: before.contactId,
          data: {
            opportunityId: before.id,
            pipelineId: before.pipelineId,
            name: 'Implant',
            value: 5,
            status,
            changedFields: ['status'],
          },
        },
      ]);
    },
  );

  test('lost stores its reason, other statuses clear it, open clears closedAt', async ({
    service,
  }) => {
    const { id } = await dealOf(service);
    const lost = await set(service, id, 'lost', { lostReason: 'too expensive' });
    expect(lost.body.data).toMatchObject({ status: 'lost', lostReason: 'too expensive' });
    const won = await set(service, id, 'won');
    expect(won.body.data).toMatchObject({ lostReason: null, closedAt: expect.any(Number) });
    await set(service, id, 'lost', { lostReason: 'too late' });
    const open = await set(service, id, 'open');
    expect(open.body.data).toMatchObject({ status: 'open', lostReason: null, closedAt: null });
    expect((await service.events()).map(({ data }) => [data.status, data.changedFields])).toEqual([
      ['lost', ['status', 'lostReason']],
      ['won', ['status', 'lostReason']],
      ['lost', ['status', 'lostReason']],
      ['open', ['status', 'lostReason']],
    ]);
  });

  test.for([
    ['open', 'open', {}],
    ['won', 'won', {}],
    ['lost', 'lost', { lostReason: 'too expensive' }],
    ['lost', 'lost', {}],
    ['abandoned', 'abandoned', { lostReason: null }],
  ] as const)('%s set to %s again with %j fires nothing', async ([from, to, more], { service }) => {
    const { id } = await dealOf(service);
    const first = await set(
      service,
      id,
      from,
      from === 'lost' ? { lostReason: 'too expensive' } : {},
    );
    await service.events();
    const again = await set(service, id, to, more);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('a new reason keeps closedAt', async ({ service }) => {
    const { id } = await dealOf(service);
    const { closedAt } = (await set(service, id, 'lost')).body.data;
    await service.events();
    const { body } = await set(service, id, 'lost', { lostReason: 'moved away' });
    expect(body.data).toMatchObject({ lostReason: 'moved away', closedAt });
    const cleared = await set(service, id, 'lost', { lostReason: null });
    expect(cleared.body.data.lostReason).toBeNull();
    expect((await service.events()).map(({ data }) => data.changedFields)).toEqual([
      ['lostReason'],
      ['lostReason'],
    ]);
  });

  test.for([
    ['a reason with won', { status: 'won', lostReason: 'x' }, '/lostReason'],
    ['a reason with open', { status: 'open', lostReason: 'x' }, '/lostReason'],
    ['a reason with abandoned', { status: 'abandoned', lostReason: 'x' }, '/lostReason'],
    ['a reason alone', { lostReason: 'x' }, '/status'],
    ['a blank reason', { status: 'lost', lostReason: ' ' }, '/lostReason'],
    ['an unknown status', { status: 'paused' }, '/status'],
    ['closedAt', { status: 'won', closedAt: 1 }, '/closedAt'],
  ] as const)('refuses %s and writes nothing', async ([, body, path], { service }) => {
    const before = await dealOf(service);
    const reply = await service.call(`PUT /api/v1/opportunities/${before.id}/status`, { body });
    expect([reply.status, reply.body.error.details.issues[0].path]).toEqual([400, path]);
    const { body: after } = await service.call(`GET /api/v1/opportunities/${before.id}`);
    expect(after.data).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('set to one status twice at once fires once, twenty times', async ({ service }) => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await dealOf(service);
      const replies = await Promise.all([set(service, id, 'won'), set(service, id, 'won')]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(await service.eventNames()).toEqual(['opportunity.updated']);
    }
  });
});

describe('set-status in the terminal', () => {
  const mark = ({ transact, subAccountId, actor }: TestService, id: string, change: any) =>
    transact(subAccountId, actor, (work) => markOpportunity(work, id, change));

  test('to won or lost fires the update and then opportunity.won or lost', async ({ service }) => {
    const { id, pipelineId, contactId } = await dealOf(service, { value: 7 });
    const common = { opportunityId: id, pipelineId, title: 'Implant', value: 7 };
    await mark(service, id, { status: 'won' });
    await mark(service, id, { status: 'lost', lostReason: 'withdrawn' });
    expect(await service.events()).toMatchObject([
      { name: 'opportunity.updated', contactId, data: { changedFields: ['status'] } },
      { name: 'opportunity.won', contactId, data: common },
      { name: 'opportunity.updated', contactId },
      { name: 'opportunity.lost', contactId, data: { ...common, lostReason: 'withdrawn' } },
    ]);
  });

  test('to open or abandoned, unchanged, or with a new reason only, fires neither', async ({
    service,
  }) => {
    const { id } = await dealOf(service);
    await mark(service, id, { status: 'abandoned' });
    await mark(service, id, { status: 'open' });
    await mark(service, id, { status: 'open' });
    expect(await service.eventNames()).toEqual(['opportunity.updated', 'opportunity.updated']);
    await mark(service, id, { status: 'lost' });
    await service.events();
    await mark(service, id, { status: 'lost', lostReason: 'later' });
    expect(await service.eventNames()).toEqual(['opportunity.updated']);
  });

  test('is the only way to fire these two events', async ({ service }) => {
    const { id } = await dealOf(service);
    await service.transact(service.subAccountId, service.actor, (work) =>
      setOpportunityStatus(work, id, { status: 'won' }),
    );
    expect(await service.eventNames()).toEqual(['opportunity.updated']);
  });
});
