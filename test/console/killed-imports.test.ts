import type { JobContext } from '#core/job.ts';
import { randomOf, type Random } from '../fuzz/random.ts';
import { importCsv } from '../support/import-csv.ts';
import { signInAs } from '../support/people.ts';
import { expect, test, type TestService } from '../support/service.ts';
import { upload, work } from './imports.support.ts';

/** Four batches. */
const ROWS = 1_600;
/** Contacts that are there before the import. */
const KNOWN = 12;
const IMPORTS = 5;
/** Of each import; another one would end it. */
const KILLS = 4;
const NO_MEMBER = '00000000-0000-7000-8000-000000000000';

/** A file with all kinds of rows; the names tell which contact each is about. */
function fileOf(prefix: string, idOf: ReadonlyMap<string, string>): string {
  const lines = Array.from({ length: ROWS }, (_, n) => {
    const email = `${prefix}${n}@example.com`;
    const earlier = `${prefix}${n - 300}@example.com`;
    switch (n % 131) {
      case 7:
        return `,R${n},,K${n % KNOWN},,`;
      case 20:
        return `,R${n},${idOf.get(`K${n % KNOWN}`)},,${email},`;
      case 40:
        return `,R${n},,,nonsense,`;
      case 60:
        return `,R${n},,,${email},${NO_MEMBER}`;
      case 80:
        return `,R${n},,${prefix}${n},,`;
      case 100:
        return n < 300 ? `,R${n},,N${n},${email},` : `,R${n},,,${earlier},`;
      case 120:
        return `,R${n},,,known${n % KNOWN}@${prefix}.example.com,`;
      default:
        return `,R${n},,N${n},${email},`;
    }
  });
  return ['company,lastName,id,firstName,email,assignedTo', ...lines].join('\n');
}

/** Commits a few changes; one more is killed before, during or after it, and then the worker is gone. */
function dyingIn({ transact }: TestService, random: Random): JobContext['transact'] {
  let left = 1 + random.below(4);
  const when = random.pick(['before', 'during', 'after']);
  return async (subAccountId, actor, change, conclude) => {
    left -= 1;
    if (left > 0) {
      return transact(subAccountId, actor, change, conclude);
    }
    if (left === 0 && when === 'during') {
      return transact(subAccountId, actor, async (running) => {
        await change(running);
        throw new Error('killed');
      });
    }
    if (left === 0 && when === 'after') {
      await transact(subAccountId, actor, change, conclude);
    }
    throw new Error('killed');
  };
}

/** Imports the file into a set of contacts of its own, killed that often. Returns all that came of it. */
async function outcomeOf(service: TestService, prefix: string, kills: number) {
  const { database, subAccountId } = service;
  const known = Array.from(
    { length: KNOWN },
    (_, n) => `K${n},Known,known${n}@${prefix}.example.com`,
  );
  await importCsv(service, ['firstName,lastName,email', ...known].join('\n'));
  const own = await contactsOf(service, (email) => email?.endsWith(`@${prefix}.example.com`));
  const idOf = new Map(own.map(({ firstName, id }) => [firstName, id]));
  const before = await contactsOf(service, () => true);
  await service.events();

  const admin = await signInAs(service, 'admin');
  const { id } = (await upload(admin, fileOf(prefix, idOf))).body.data;
  const random = randomOf(prefix);
  for (let attempt = 1; attempt <= kills; attempt += 1) {
    const dying = work(service, id, { attempt, transact: dyingIn(service, random) });
    await expect(dying).rejects.toThrow('killed');
  }
  await work(service, id, { attempt: kills + 1 });

  const { body } = await admin.call(`GET /console/api/v1/imports/${id}`);
  const old = new Set(before.map(({ id: contactId }) => contactId));
  const ownIds = new Set(own.map(({ id: contactId }) => contactId));
  const after = (await contactsOf(service, () => true)).filter(
    (contact) => !old.has(contact.id) || ownIds.has(contact.id),
  );
  const nameOf = new Map(after.map(({ id: contactId, firstName }) => [contactId, firstName]));
  const events = await service.events();
  const leftovers = await database.rows(
    'select 1 from contact_import_checkpoints where sub_account_id = $1',
    [subAccountId],
  );
  const plain = (text: string | null) => text?.replaceAll(prefix, '') ?? null;
  const { created, updated, skipped, failed, errors, status } = body.data;
  return {
    result: { status, created, updated, skipped, failed, errors },
    contacts: after
      .map(({ firstName, lastName, email }) => [plain(firstName), lastName, plain(email)].join())
      .toSorted(),
    events: events
      .map(({ name, contactId }) => `${name} ${plain(nameOf.get(contactId ?? '') ?? null)}`)
      .toSorted(),
    leftovers,
  };
}

interface StoredContact {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string | null;
}

async function contactsOf(
  { database, subAccountId }: TestService,
  isOwn: (email: string | null) => boolean | undefined,
): Promise<StoredContact[]> {
  const rows = await database.rows<StoredContact>(
    `select id, first_name as "firstName", last_name as "lastName", email from contacts
     where sub_account_id = $1`,
    [subAccountId],
  );
  return rows.filter(({ email }) => isOwn(email));
}

test('an import that is killed at any point has the same outcome', async ({ service }) => {
  const expected = await outcomeOf(service, 'control', 0);
  expect(expected.result).toMatchObject({ status: 'done', created: expect.any(Number) });
  const { created, updated, skipped, failed } = expected.result;
  expect(created + updated + skipped + failed).toBe(ROWS);
  expect(Math.min(updated, failed)).toBeGreaterThan(20);
  expect(expected.events).toHaveLength(created + updated);
  for (let n = 0; n < IMPORTS; n += 1) {
    expect(await outcomeOf(service, `killed${n}`, KILLS)).toEqual(expected);
  }
});

test('two runs at once, by a worker that was believed dead, import each row once', async ({
  service,
}) => {
  const admin = await signInAs(service, 'admin');
  const rows = Array.from({ length: ROWS }, (_, n) => `P${n},L,p${n}@example.com`);
  const { id } = (await upload(admin, ['firstName,lastName,email', ...rows].join('\n'))).body.data;
  await Promise.allSettled([work(service, id), work(service, id, { attempt: 2 })]);
  await work(service, id, { attempt: 3 });
  const { body } = await admin.call(`GET /console/api/v1/imports/${id}`);
  expect(body.data).toMatchObject({ status: 'done', created: ROWS, updated: 0, skipped: 0 });
  const names = await service.eventNames();
  expect(names).toEqual(Array.from({ length: ROWS }, () => 'contact.created'));
});
