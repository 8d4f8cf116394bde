import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleScoreContacts } from '../../../src/contacts/engagement/score-contacts.ts';
import { startDelivering, type Delivering } from '../../support/deliveries.ts';
import { OPERATOR } from '../../support/service.ts';
import { insertUnchecked } from '../../support/unchecked-rows.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  ESTABLISHED,
  FEW,
  LINEAR,
  MANY,
  readsOf,
  statementsOf,
} from '../../support/unknown-sub-account.ts';

const ACTIVITY = [
  `insert into conversations (sub_account_id, id, contact_id, channel, status, last_message_at,
     created_at, updated_at)
   select $1, gen_random_uuid(), id, 'live_chat', 'open', now(), now(), now()
   from contacts where sub_account_id = $1`,
  `insert into appointments (sub_account_id, id, contact_id, calendar_id, start_time, end_time, status,
     assigned_at, created_at, updated_at)
   select $1, gen_random_uuid(), id, id, now(), now() + interval '1 h', 'completed', now(), now(), now()
   from contacts where sub_account_id = $1`,
  `insert into engagement_marks (sub_account_id, contact_id)
   select $1, id from contacts where sub_account_id = $1`,
  `insert into engagement_scores (sub_account_id, contact_id, scored_at)
   select $1, id, now() - interval '2 d' from contacts where sub_account_id = $1`,
];

async function activeContacts(service: Delivering, rows: number): Promise<string> {
  const subAccountId = await addSubAccount(service);
  await addContacts(service, { subAccountId, rows });
  await insertUnchecked(service, [subAccountId], ACTIVITY);
  return subAccountId;
}

/** What the first batch of marked contacts and that of aged scores read; both are undone. */
async function readsOfBatches(service: Delivering, rows: number): Promise<number> {
  const subAccountId = await activeContacts(service, rows);
  const transact: JobContext['transact'] = async (id, actor, run) => {
    await service
      .transact(id, actor, async (work) => {
        await run(work);
        throw new Error('undone');
      })
      .catch(() => undefined);
    return 0 as never;
  };
  const context = {
    openView: service.openView,
    transact,
    actor: OPERATOR,
    clock: () => new Date(),
    signal: new AbortController().signal,
  };
  const sent = await statementsOf(async () =>
    handleScoreContacts.handle({}, context as unknown as JobContext),
  );
  const batches = sent.filter(
    ({ text, values }) => text.includes('locked') && values.includes(subAccountId),
  );
  expect(batches).toHaveLength(2);
  return readsOf(service, batches);
}

test.runIf(countsReads)(
  'a batch of scores reads a sub-account that the statistics do not know yet once',
  async () => {
    const service = await startDelivering();
    await activeContacts(service, ESTABLISHED);
    await service.database.rows('analyze');
    const few = await readsOfBatches(service, FEW);
    expect(await readsOfBatches(service, MANY)).toBeLessThan(LINEAR * few);
  },
);
