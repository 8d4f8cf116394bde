import { expect, test } from 'vitest';
import { searchContacts } from '../../src/contacts/search-contacts.ts';
import { startDelivering, type Delivering } from '../support/deliveries.ts';
import {
  addContacts,
  addSubAccount,
  countsReads,
  ESTABLISHED,
  MANY,
  readsOf,
  statementsOf,
} from '../support/unknown-sub-account.ts';

async function namedContacts(service: Delivering, rows: number): Promise<string> {
  const subAccountId = await addSubAccount(service);
  const columns = { company: `case when n <= 10 then 'Rarely' else 'Often' end` };
  await addContacts(service, { subAccountId, rows, columns });
  return subAccountId;
}

/** What searches for a rare text, a frequent one and one without trigrams read. */
async function readsOfSearches(service: Delivering, rows: number): Promise<number> {
  const view = service.openView(await namedContacts(service, rows), new Date());
  const sent = await statementsOf(async () => {
    for (const search of ['rarely', 'often', 'of']) {
      await searchContacts(view, { query: { limit: 50 }, search, after: undefined });
    }
  });
  expect(sent).toHaveLength(6);
  return readsOf(service, sent);
}

test.runIf(countsReads)(
  'a search reads the contacts of a sub-account that the statistics do not know yet once',
  async () => {
    const service = await startDelivering();
    await namedContacts(service, ESTABLISHED);
    await service.database.rows('analyze');
    expect(await readsOfSearches(service, MANY)).toBeLessThan(25 * MANY);
  },
);
