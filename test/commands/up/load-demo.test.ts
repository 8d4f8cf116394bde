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
