import { newId } from '#lib/id.ts';
import { createSubAccount } from '../../../src/accounts/sub-accounts/create-sub-account.ts';
import { loadDemo } from '../../../src/commands/up/load-demo.ts';
import { expect, OPERATOR, test } from '../../support/service.ts';

const NAME = 'Harbour Dental';

test('a demo whose loading was interrupted is loaded again; a complete one is kept', async ({
  service,
}) => {
  const { clock, database, transact } = service;
  const left = newId(clock());
  await transact(left, OPERATOR, (work) => createSubAccount(work, { name: NAME, sandbox: true }));
  const { subAccountId } = await loadDemo(service, OPERATOR);
  expect(subAccountId).not.toBe(left);
  const rows = await database.rows(
    'select name from sub_accounts where id = any ($1) order by id',
    [[left, subAccountId]],
  );
  expect(rows).toEqual([{ name: 'Harbour Dental (incomplete)' }, { name: NAME }]);
  expect(await loadDemo(service, OPERATOR)).toMatchObject({ subAccountId });
});

test('the demo has appointments of earlier days, and one of them is still to be marked', async ({
  service,
}) => {
  const { clock, database } = service;
  const { subAccountId } = await loadDemo(service, OPERATOR);
  const rows = await database.rows<{ status: string; count: number }>(
    `select status, count(*)::int as count from appointments
     where sub_account_id = $1 and start_time < date_trunc('day', $2::timestamptz) group by 1`,
    [subAccountId, clock()],
  );
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  expect(counts).toMatchObject({ no_show: 1, confirmed: 1 });
  expect(counts['completed']).toBeGreaterThan(3);
  // Nothing is sent for an appointment of the past.
  const late = await database.rows(
    `select from appointments a join appointment_notices n on n.appointment_id = a.id
     where a.sub_account_id = $1 and a.start_time < $2`,
    [subAccountId, clock()],
  );
  expect(late).toEqual([]);
});
