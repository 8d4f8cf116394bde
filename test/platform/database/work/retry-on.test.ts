import { jsonText } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { Work } from '#core/work.ts';
import { Type } from 'typebox';
import { expect, test, type TestService } from '../../../support/service.ts';

/** A second row of one address breaks this. */
const CONSTRAINT = 'opt_outs_sub_account_id_address_channel_key';

const BY_ID =
  'select id, reason from opt_outs o where sub_account_id = $1 and id = any($2::uuid[])';

const optOut = (work: Work, address: string) =>
  work.write(
    `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
     values ($1, $2, 'email', $3, 'test', now())`,
    [work.subAccountId, crypto.randomUUID(), address],
  );

const addresses = async ({ database, subAccountId }: TestService) => {
  const rows = await database.rows<{ address: string }>(
    'select address from opt_outs where sub_account_id = $1 order by address',
    [subAccountId],
  );
  return rows.map(({ address }) => address);
};

test('a change that breaks the constraint it named runs again, with new reads', async ({
  service,
}) => {
  const { transact, subAccountId, actor } = service;
  await transact(subAccountId, actor, async (work) => optOut(work, 'a'));
  const seen: number[] = [];
  await transact(subAccountId, actor, async (work) => {
    const found = await work.readOutside('select 1 from opt_outs where sub_account_id = $1', [
      subAccountId,
    ]);
    seen.push(found.length);
    optOut(work, seen.length === 1 ? 'a' : 'b');
    work.retryOn(CONSTRAINT);
  });
  expect([seen, await addresses(service)]).toEqual([
    [1, 1],
    ['a', 'b'],
  ]);
});

test('a change that never succeeds fails with its mapped error', async ({ service }) => {
  const { transact, subAccountId, actor } = service;
  await transact(subAccountId, actor, async (work) => optOut(work, 'a'));
  let tries = 0;
  const trying = transact(subAccountId, actor, async (work) => {
    tries += 1;
    optOut(work, 'a');
    work.retryOn(CONSTRAINT);
    work.mapConstraint(CONSTRAINT, () => new Error('given up') as never);
  });
  await expect(trying).rejects.toThrow('given up');
  expect([tries, await addresses(service)]).toEqual([4, ['a']]);
});

test('readOutside inside a transaction sees the changes of the transaction', async ({
  service,
}) => {
  const { transact, subAccountId, actor } = service;
  const found = await transact(subAccountId, actor, async (work) => {
    await work.rows(
      `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
       values ($1, $2, 'email', 'c', 'test', now())`,
      [subAccountId, crypto.randomUUID()],
    );
    return work.readOutside('select address from opt_outs where sub_account_id = $1', [
      subAccountId,
    ]);
  });
  expect(found).toEqual([{ address: 'c' }]);
});

test('pointOutside inside a transaction sees the changes of the transaction', async ({
  service,
}) => {
  const { transact, subAccountId, actor } = service;
  const id = crypto.randomUUID();
  const reason = { text: BY_ID, record: recordSchema(Type.Object({ reason: Type.String() }), 'o') };
  const found = await transact(subAccountId, actor, async (work) => {
    const before = await work.pointOutside(reason, id);
    await work.rows(
      `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
       values ($1, $2, 'email', 'd', 'test', now())`,
      [subAccountId, id],
    );
    return [before, await work.pointOutside(reason, id)];
  });
  expect(found.map(jsonText)).toEqual(['null', '{"reason":"test"}']);
});

test('a committed change does not run again if conclude fails', async ({ service }) => {
  const { transact, subAccountId, actor } = service;
  const lost = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  const change = transact(
    subAccountId,
    actor,
    async (work) => optOut(work, crypto.randomUUID()),
    () => Promise.reject(lost),
  );
  await expect(change).rejects.toThrow('deadlock detected');
  expect(await addresses(service)).toHaveLength(1);
});
