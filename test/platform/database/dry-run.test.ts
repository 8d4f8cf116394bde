import { dryRun } from '#platform/database/dry-run.ts';
import { contactCreated } from '../../../src/contacts/contact.events.ts';
import { describe, expect, test } from '../../support/service.ts';

const NAME = 'select name from sub_accounts where id = $1';
const RENAME = `update sub_accounts set name = 'Changed' where id = $1`;

describe('a dry run', () => {
  test('returns the result and commits nothing, not even a single deferred write', async ({
    service,
  }) => {
    const { transact, subAccountId, actor, database } = service;
    const before = await database.rows(NAME, [subAccountId]);
    const outcome = await dryRun(transact, subAccountId, actor, async (work) => {
      work.write(RENAME, [subAccountId]);
      work.audit(subAccountId);
      await work.emit(contactCreated as never, { contactId: null, data: {} as never });
      return 'done';
    });
    expect(outcome).toBe('done');
    expect(await database.rows(NAME, [subAccountId])).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
  });

  test('fails whenever the change itself would, also by deferred constraints', async ({
    service,
  }) => {
    const { transact, subAccountId, actor } = service;
    const refused = dryRun(transact, subAccountId, actor, async (work) => {
      await work.rows(
        `insert into appointment_blocks (sub_account_id, appointment_id, member_id, block, slot_id)
         values ($1, gen_random_uuid(), gen_random_uuid(), 'empty', gen_random_uuid())`,
        [subAccountId],
      );
    });
    await expect(refused).rejects.toThrow('violates foreign key constraint');
  });
});
