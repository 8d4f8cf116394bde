import { dealOf, salesOf } from '../support/pipelines.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';

const V1 = '/console/api/v1';

describe('the outcome of an opportunity', () => {
  test('fires won or lost in addition to the update, and nothing if it stays', async ({
    service,
  }) => {
    const { call } = await signInAs(service, 'agent');
    const { id } = await dealOf(service, { value: 1200 });
    const mark = (body: object) => call(`PUT ${V1}/opportunities/${id}/outcome`, { body });
    const lost = await mark({ status: 'lost', lostReason: 'too expensive' });
    expect(lost.body.data).toMatchObject({ status: 'lost', lostReason: 'too expensive' });
    const events = await service.events();
    expect(events.map(({ name }) => name)).toEqual(['opportunity.updated', 'opportunity.lost']);
    expect(events[1]?.data).toMatchObject({ lostReason: 'too expensive', value: 1200 });
    await mark({ status: 'lost', lostReason: 'too expensive' });
    expect(await service.eventNames()).toEqual([]);
    await mark({ status: 'won' });
    expect(await service.eventNames()).toEqual(['opportunity.updated', 'opportunity.won']);
    const open = await mark({ status: 'open' });
    expect(open.body.data).toMatchObject({ status: 'open', lostReason: null, closedAt: null });
    expect(await service.eventNames()).toEqual(['opportunity.updated']);
    expect((await mark({ status: 'won', lostReason: 'x' })).status).toBe(400);
  });
});

test('the list names the contacts', async ({ service }) => {
  const { call } = await signInAs(service, 'viewer');
  const { id } = await dealOf(service);
  const { body } = await call(`GET ${V1}/opportunities?search=implant`);
  expect(body.data).toEqual([expect.objectContaining({ id, contactName: 'Ada Lovelace' })]);
  expect(body.meta.total).toBe(1);
});

describe('the forecast of a pipeline', () => {
  test('sums open opportunities by month of the sub-account and currency', async ({ service }) => {
    const year = service.clock().getUTCFullYear() + 1;
    service.clock.advance(Date.parse(`${year}-01-20T12:00:00Z`) - service.clock().getTime());
    await service.database.rows(
      `update sub_accounts set timezone = 'Europe/Berlin' where id = $1`,
      [service.subAccountId],
    );
    const { call } = await signInAs(service, 'viewer');
    const { pipelineId, stages } = await salesOf(service);
    const deal = (expectedCloseDate: string | null, value: number | null, more: object = {}) =>
      dealOf(service, { expectedCloseDate, value, currency: 'EUR', ...more });
    // In Berlin, this is in February.
    await deal(`${year}-01-31T23:30:00Z`, 100);
    await deal(`${year}-02-24T12:00:00Z`, 50, { stageId: stages.offer });
    await deal(`${year}-02-24T12:00:00Z`, 10, { currency: 'USD' });
    await deal(`${year - 1}-12-31T12:00:00Z`, 70);
    await deal(`${year}-12-31T12:00:00Z`, 20);
    await deal(`${year + 1}-01-01T12:00:00Z`, 30);
    await deal(null, null);
    const won = await deal(`${year}-02-01T12:00:00Z`, 1_000);
    await service.call(`PUT /api/v1/opportunities/${won.id}/status`, { body: { status: 'won' } });
    const { body } = await call(`GET ${V1}/pipelines/${pipelineId}/forecast`);
    expect(body.data.months).toHaveLength(12);
    expect([body.data.months[0], body.data.months[11]]).toEqual([`${year}-01`, `${year}-12`]);
    const rows = body.data.periods.map(({ period, currency, count, value, weightedValue }: any) => [
      period,
      currency,
      count,
      value,
      weightedValue,
    ]);
    expect(rows).toEqual([
      [`${year}-02`, 'EUR', 2, 150, 35],
      [`${year}-02`, 'USD', 1, 10, 1],
      [`${year}-12`, 'EUR', 1, 20, 2],
      ['later', 'EUR', 1, 30, 3],
      ['overdue', 'EUR', 1, 70, 7],
      ['undated', 'EUR', 1, 0, 0],
    ]);
  });

  test('of a pipeline without opportunities has months only', async ({ service }) => {
    const { call } = await signInAs(service, 'viewer');
    const { pipelineId } = await salesOf(service);
    const { body } = await call(`GET ${V1}/pipelines/${pipelineId}/forecast`);
    expect([body.data.months.length, body.data.periods]).toEqual([12, []]);
    const unknown = await call(`GET ${V1}/pipelines/${crypto.randomUUID()}/forecast`);
    expect(unknown.status).toBe(404);
  });
});
