import { contactOf, dealOf, salesOf } from '../support/pipelines.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';

const LIMIT = 1_000_000;
/** The longest value, of three bytes a character: 66 of them fit, 67 do not. */
const TEXT = '漢'.repeat(5_000);

const values = (from: number, to: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`f${from + n}`, TEXT]));

const bytesOf = (stored: object): number => Buffer.byteLength(JSON.stringify(stored));

/** Returns a refusal after checking that it changed nothing and fired nothing. */
async function refusal(service: TestService, line: string, body: object) {
  const all = 'select * from opportunities where sub_account_id = $1';
  const before = await service.database.rows(all, [service.subAccountId]);
  const { status, body: answer } = await service.call(line, { body });
  expect(await service.database.rows(all, [service.subAccountId])).toEqual(before);
  expect(await service.events()).toEqual([]);
  const { code, details } = answer.error ?? {};
  return { status, code, ...details };
}

const REFUSED = {
  status: 400,
  code: 'VALIDATION_ERROR',
  reason: 'custom_values_too_large',
  limit: LIMIT,
  issues: [
    {
      in: 'body',
      path: '/customFields',
      message: `would have ${bytesOf(values(0, 67))} bytes as JSON; at most ${LIMIT} are allowed`,
    },
  ],
};

describe('the custom values of an opportunity', () => {
  test('do not grow beyond the limit, however many requests add to them', async ({ service }) => {
    const { id } = await dealOf(service, { customFields: values(0, 50) });
    const line = `PATCH /api/v1/opportunities/${id}`;
    const fits = await service.call(line, { body: { customFields: values(50, 66) } });
    expect([fits.status, fits.body.data.customFields]).toEqual([200, values(0, 66)]);
    expect(await service.eventNames()).toEqual(['opportunity.updated']);
    expect(await refusal(service, line, { customFields: values(66, 67) })).toEqual(REFUSED);
  });

  test('of a new one are within the limit', async ({ service }) => {
    const { pipelineId } = await salesOf(service);
    const contactId = await contactOf(service);
    await service.events();
    const body = { name: 'Implant', pipelineId, contactId, customFields: values(0, 67) };
    expect(await refusal(service, 'POST /api/v1/opportunities', body)).toEqual(REFUSED);
  });

  test('that are larger can be read, changed and made smaller, but not larger', async ({
    service,
  }) => {
    const { id } = await dealOf(service);
    // Of an older release, which had no limit.
    const set = 'update opportunities set custom_fields = $2 where id = $1';
    await service.database.rows(set, [id, JSON.stringify(values(0, 90))]);
    const read = await service.call(`GET /api/v1/opportunities/${id}`);
    expect(read.body.data.customFields).toEqual(values(0, 90));
    const line = `PATCH /api/v1/opportunities/${id}`;
    for (const body of [
      { name: 'Bridge' },
      { customFields: { f0: null } },
      { customFields: { f1: TEXT.slice(1) } },
    ]) {
      expect((await service.call(line, { body })).status).toBe(200);
      expect(await service.eventNames()).toEqual(['opportunity.updated']);
    }
    expect(await refusal(service, line, { customFields: { f0: 'x' } })).toMatchObject({
      reason: 'custom_values_too_large',
    });
  });
});
