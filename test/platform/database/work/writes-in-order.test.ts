import { joinWrites } from '#platform/database/work/deferred-writes.ts';
import type { Work } from '#core/work.ts';
import { describe, expect, test, type TestService } from '../../../support/service.ts';

const INSERT = `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
  values ($1, gen_random_uuid(), 'email', $2, 'first', now())`;
const SET_REASON = `update opt_outs set reason = 'second' where sub_account_id = $1 and address = $2`;
const SET_CHANNEL = `update opt_outs set channel = 'sms' where sub_account_id = $1 and address = $2`;

/** Defers an insert and two updates of the same row. */
function writeThrice(work: Work, address: string): void {
  for (const text of [INSERT, SET_REASON, SET_CHANNEL]) {
    work.write(text, [work.subAccountId, address]);
  }
}

const written = async ({ database, subAccountId }: TestService, address: string) =>
  database.rows('select reason, channel from opt_outs where sub_account_id = $1 and address = $2', [
    subAccountId,
    address,
  ]);

describe('deferred writes of the same row', () => {
  test('all take effect, in their order, if no transaction has begun', async ({ service }) => {
    const { transact, subAccountId, actor } = service;
    await transact(subAccountId, actor, async (work) => writeThrice(work, 'a'));
    expect(await written(service, 'a')).toEqual([{ reason: 'second', channel: 'sms' }]);
  });

  test('all take effect, in their order, inside a transaction', async ({ service }) => {
    const { transact, subAccountId, actor } = service;
    await transact(subAccountId, actor, async (work) => {
      await work.rows('select 1', []);
      writeThrice(work, 'b');
    });
    expect(await written(service, 'b')).toEqual([{ reason: 'second', channel: 'sms' }]);
  });

  test('are never joined into one statement: PostgreSQL would drop all but one', () => {
    const writes = [SET_REASON, SET_CHANNEL].map((text) => ({ text, values: [1, 2] }));
    expect(() => joinWrites(writes)).toThrow(/^two joined statements change rows of opt_outs/);
  });
});
