import { Client } from 'pg';
import type { Work } from '#core/work.ts';
import {
  findContactByEmail,
  lockContactByEmail,
  lockContactsByEmail,
  type ContactLock,
} from '../../src/contacts/find-by-email.ts';
import { merging } from '../support/merging.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { newContact } from '../tasks/tasks.support.ts';

const WAIT = { timeout: 60_000 };
const ADA = 'ada@example.com';

const inWork = <R>(service: TestService, use: (work: Work) => Promise<R>) =>
  service.transact(service.subAccountId, service.actor, use);

/** Merges the owner of the email into another contact, which has the email once that commits. */
async function mergeOwner(service: TestService) {
  const kept = await newContact(service, { email: null });
  const other = await newContact(service, { email: ADA });
  const merge = await merging(service, [
    [
      'select from contacts where sub_account_id = $1 and id = any($2) for update',
      [service.subAccountId, [kept, other]],
    ],
    [`update contacts set deleted_at = now(), merged_into = $2 where id = $1`, [other, kept]],
    ['update contact_emails set contact_id = $2 where contact_id = $1', [other, kept]],
  ]);
  return { kept, merge };
}

describe('findContactByEmail', () => {
  test('returns the contact of a primary or additional email, in any case', async ({ service }) => {
    const body = { email: ADA, additionalEmails: ['Work@Example.com'], tags: ['vip'] };
    const id = await newContact(service, body);
    const view = service.openView(service.subAccountId, service.clock());
    const found = { id, firstName: 'Ada', lastName: 'Lovelace', email: ADA, tags: ['vip'] };
    expect(await findContactByEmail(view, ' ADA@example.com ')).toMatchObject(found);
    expect(await findContactByEmail(view, 'work@example.com')).toMatchObject(found);
  });

  test('returns nothing for an unknown email, a deleted contact and another sub-account', async ({
    service,
  }) => {
    const id = await newContact(service, { email: ADA });
    await service.call(`DELETE /api/v1/contacts/${id}`);
    await newContact(service, { email: 'grace@example.com' }, 'other');
    const view = service.openView(service.subAccountId, service.clock());
    for (const email of ['no-one@example.com', ADA, 'grace@example.com']) {
      expect(await findContactByEmail(view, email)).toBeUndefined();
    }
  });
});

describe('lockContactByEmail', () => {
  test.for([
    { mode: 'key share', conflicts: ['update'] },
    { mode: 'no key update', conflicts: ['no key update', 'update'] },
    { mode: 'update', conflicts: ['key share', 'no key update', 'update'] },
  ] as const)('takes the row lock for $mode', async ({ mode, conflicts }, { service }) => {
    const contactId = await newContact(service, { email: ADA, tags: ['vip'] });
    await inWork(service, async (work) => {
      const owner = { contactId, tags: ['vip'] };
      expect(await lockContactByEmail(work, ADA, mode)).toEqual(owner);
      const refused = LOCKS.map((other) => isRefused(service, contactId, other));
      expect(await Promise.all(refused)).toEqual(LOCKS.map((other) => isIn(conflicts, other)));
    });
  });

  test('returns nothing for an email that no live contact has', async ({ service }) => {
    expect(
      await inWork(service, (work) => lockContactByEmail(work, ADA, 'update')),
    ).toBeUndefined();
  });

  test('returns the contact that a concurrent merge keeps', async ({ service }) => {
    const { kept, merge } = await mergeOwner(service);
    const locking = inWork(service, (work) => lockContactByEmail(work, ADA, 'key share'));
    await expect.poll(merge.isWaitedFor, WAIT).toBe(true);
    await merge.end();
    expect(await locking).toMatchObject({ contactId: kept });
  });
});

describe('lockContactsByEmail', () => {
  test('returns one row per email found, and none for the others', async ({ service }) => {
    const contactId = await newContact(service, { email: ADA, additionalEmails: ['a@b.example'] });
    const emails = ['ADA@example.com', ADA, 'a@b.example', 'no-one@example.com'];
    const found = await inWork(service, (work) => lockContactsByEmail(work, emails));
    expect(found.toSorted((a, b) => (a.email < b.email ? -1 : 1))).toEqual([
      { email: 'a@b.example', contactId },
      { email: ADA, contactId },
    ]);
  });

  test('returns the contact that a concurrent merge keeps', async ({ service }) => {
    const { kept, merge } = await mergeOwner(service);
    const locking = inWork(service, (work) => lockContactsByEmail(work, [ADA]));
    await expect.poll(merge.isWaitedFor, WAIT).toBe(true);
    await merge.end();
    expect(await locking).toEqual([{ email: ADA, contactId: kept }]);
  });
});

const LOCKS: readonly ContactLock[] = ['key share', 'no key update', 'update'];

const isIn = (conflicts: readonly ContactLock[], mode: ContactLock) => conflicts.includes(mode);

/** Whether another connection would have to wait for this lock. */
async function isRefused(service: TestService, contactId: string, mode: ContactLock) {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const text = `select from contacts
      where sub_account_id = $1 and id = $2 for ${mode} skip locked`;
    return (await client.query(text, [service.subAccountId, contactId])).rowCount === 0;
  } finally {
    await client.end();
  }
}
