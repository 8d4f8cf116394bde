import { AGENCY } from '#lib/id.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { findApproval } from '../../src/agents/approvals/approval.store.ts';
import { expect, test } from '../support/service.ts';
import { connectAgent } from './agents.support.ts';
import { decideLast } from './approvals.support.ts';

test('an approved call of an agency key does nothing once its sub-account is closed', async ({
  service,
}) => {
  const { subAccountId, transact, actor, database, openView, clock } = service;
  const body = { firstName: 'Ada', lastName: 'Byron' };
  const created = await service.call('POST /api/v1/contacts', { body });
  const contactId = created.body.data.id;
  const { key } = await transact(AGENCY, actor, (work) =>
    createKey(work, { name: 'agency', scopes: ['contacts:write'] }),
  );
  const { call } = await connectAgent(service.url, key, {
    headers: { 'x-sub-account-id': subAccountId },
  });
  const remove = { action: 'contacts.delete', arguments: { contactId } };
  const { approvalId } = (await call('run_action', remove)).content;
  await service.events();
  await transact(subAccountId, actor, (work) => deleteSubAccount(work));
  await decideLast(service, approvalId, 'approved');
  expect(await findApproval(openView(subAccountId, clock()), approvalId)).toMatchObject({
    responseStatus: 403,
    response: expect.stringContaining('the sub-account of this call was closed'),
  });
  const live = await database.rows(
    'select id from contacts where sub_account_id = $1 and id = $2 and deleted_at is null',
    [subAccountId, contactId],
  );
  expect(live).toHaveLength(1);
  expect(await service.eventNames()).toEqual([]);
});
