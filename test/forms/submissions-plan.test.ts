import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { findSubmissions } from '../../src/forms/submissions/find-submissions.ts';
import { startDelivering, type Delivering } from '../support/deliveries.ts';
import { insertUnchecked } from '../support/unchecked-rows.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  ESTABLISHED,
  FEW,
  MANY,
  readsOf,
  statementsOf,
} from '../support/unknown-sub-account.ts';

const SUBMISSIONS = [
  `insert into forms (sub_account_id, id, key, name, captcha, fields, created_at, updated_at)
   values ($1, $2, 'contact', 'Contact', false, '[]', now(), now())`,
  `insert into form_submissions (sub_account_id, id, form_id, contact_id, fields, created_at)
   select $1, gen_random_uuid(), $2, id, '{}', now() from contacts where sub_account_id = $1`,
];

async function submittedForm(service: Delivering, rows: number): Promise<string> {
  const subAccountId = await addSubAccount(service);
  await addContacts(service, { subAccountId, rows });
  await insertUnchecked(service, [subAccountId, newId(new Date())], SUBMISSIONS);
  return subAccountId;
}

async function readsOfPage(service: Delivering, rows: number): Promise<number> {
  const view = service.openView(await submittedForm(service, rows), new Date());
  const sent = await statementsOf(() => findSubmissions(view, { limit: 50 }, undefined));
  expect(sent).toHaveLength(1);
  return readsOf(service, sent);
}

test.runIf(countsReads)(
  'a page of submissions reads as few rows of a sub-account that the statistics do not know yet',
  async () => {
    const service = await startDelivering();
    await submittedForm(service, ESTABLISHED);
    await service.database.rows('analyze');
    const few = await readsOfPage(service, FEW);
    expect(await readsOfPage(service, MANY)).toBeLessThan(2 * few);
  },
);
