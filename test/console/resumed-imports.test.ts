import type { JobContext } from '#core/job.ts';
import { signInAs } from '../support/people.ts';
import { keepHouse } from '../support/keep-house.ts';
import { apply } from '../support/manifest.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { contextOf, upload, work } from './imports.support.ts';

const HEADER = 'firstName,lastName,email,phone';
/** Two batches. */
const ROWS = 700;
const BATCH = 500;

const rowOf = (n: number) => `P${n},Filed,p${n}@example.com,+4930${1_000_000 + n}`;
const fileOf = (rows: readonly string[]) => [HEADER, ...rows].join('\n');
const range = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Commits the first batches; then the worker is gone. */
function killedAfter({ transact }: TestService, batches: number): Partial<JobContext> {
  // The first change only checks the access.
  let left = batches + 1;
  const dying: JobContext['transact'] = async (...args) => {
    left -= 1;
    if (left < 0) {
      throw new Error('killed');
    }
    return transact(...args);
  };
  return { transact: dying };
}

/** Starts an import whose worker is killed after its first batch. */
async function interrupted(service: TestService, csv: string, query = '') {
  const admin = await signInAs(service, 'admin');
  const { id } = (await upload(admin, csv, query)).body.data;
  await expect(work(service, id, killedAfter(service, 1))).rejects.toThrow('killed');
  return {
    id,
    async resumed() {
      await work(service, id, { attempt: 2 });
      return (await admin.call(`GET /console/api/v1/imports/${id}`)).body.data;
    },
  };
}

async function contactWith({ call }: TestService, email: string) {
  const { body } = await call(`GET /api/v1/contacts?email=${email}`);
  return body.data[0];
}

const storedCount = async ({ database, subAccountId }: TestService) => {
  const [row] = await database.rows<{ n: number }>(
    'select count(*)::int as n from contacts where sub_account_id = $1',
    [subAccountId],
  );
  return row?.n;
};

const checkpointsOf = ({ database, subAccountId }: TestService) =>
  database.rows('select 1 from contact_import_checkpoints where sub_account_id = $1', [
    subAccountId,
  ]);

const allCreated = {
  status: 'done',
  processed: ROWS,
  created: ROWS,
  updated: 0,
  skipped: 0,
  failed: 0,
  errors: [],
  error: null,
};

type Meanwhile = (service: TestService, contact: any) => Promise<unknown>;

const patched =
  (body: object): Meanwhile =>
  ({ call }, { id }) =>
    call(`PATCH /api/v1/contacts/${id}`, { body });

const merged: Meanwhile = async (service, { id }) => {
  await patched({ email: null })(service, { id });
  const kept = await contactWith(service, 'p9@example.com');
  return service.call(`POST /api/v1/contacts/${kept.id}/merge`, { body: { contactId: id } });
};

const MEANWHILE: readonly [string, Meanwhile][] = [
  ['deleted', ({ call }, { id }) => call(`DELETE /api/v1/contacts/${id}`)],
  ['merged into another one', merged],
  ['given another email', patched({ email: 'moved@example.com' })],
  ['left without an email', patched({ email: null })],
  ['edited', patched({ phone: '+493055555', lastName: 'Edited' })],
];

describe('an interrupted import goes on after what it has committed', () => {
  test.for(MEANWHILE)('when a contact was %s meanwhile', async ([, change], { service }) => {
    const { resumed } = await interrupted(service, fileOf(range(ROWS).map(rowOf)));
    expect(await storedCount(service)).toBe(BATCH);
    const { id } = await contactWith(service, 'p7@example.com');
    await change(service, { id });
    const shown = await service.call(`GET /api/v1/contacts/${id}`);
    await service.events();

    expect(await resumed()).toMatchObject(allCreated);
    expect((await service.call(`GET /api/v1/contacts/${id}`)).body.data).toEqual(shown.body.data);
    expect(await storedCount(service)).toBe(ROWS);
    expect(await service.eventNames()).toEqual(
      Array.from({ length: ROWS - BATCH }, () => 'contact.created'),
    );
    expect(await checkpointsOf(service)).toEqual([]);
  });

  test.for(MEANWHILE)(
    'also without its checkpoints, when a contact was %s',
    async ([name, change], { service }) => {
      const { resumed } = await interrupted(service, fileOf(range(ROWS).map(rowOf)));
      const { id } = await contactWith(service, 'p7@example.com');
      await change(service, { id });
      const shown = await service.call(`GET /api/v1/contacts/${id}`);
      await service.database.rows('delete from contact_import_checkpoints', []);

      expect([name, await resumed()]).toEqual([name, expect.objectContaining(allCreated)]);
      expect((await service.call(`GET /api/v1/contacts/${id}`)).body.data).toEqual(shown.body.data);
      expect(await storedCount(service)).toBe(ROWS);
    },
  );

  test('keeps edits of a contact that it had updated', async ({ service }) => {
    const body = { firstName: 'P3', lastName: 'Old', email: 'p3@example.com' };
    const { body: known } = await service.call('POST /api/v1/contacts', { body });
    const { resumed } = await interrupted(service, fileOf(range(ROWS).map(rowOf)));
    expect(await contactWith(service, 'p3@example.com')).toMatchObject({ lastName: 'Filed' });
    await patched({ lastName: 'Married', phone: null })(service, known.data);
    await service.events();

    const counts = { ...allCreated, created: ROWS - 1, updated: 1 };
    expect(await resumed()).toMatchObject(counts);
    expect(await contactWith(service, 'p3@example.com')).toMatchObject({
      lastName: 'Married',
      phone: null,
    });
    expect(new Set(await service.eventNames())).toEqual(new Set(['contact.created']));
  });

  test('does not create a contact again that was erased', async ({ service }) => {
    const { resumed } = await interrupted(service, fileOf(range(ROWS).map(rowOf)));
    const { id } = await contactWith(service, 'p7@example.com');
    const admin = await signInAs(service, 'admin');
    const headers = { 'content-type': 'application/json' };
    const erased = await admin.call(`POST /console/api/v1/contacts/${id}/erase`, { headers });
    expect(erased.status).toBe(200);
    expect(await resumed()).toMatchObject(allCreated);
    expect(await contactWith(service, 'p7@example.com')).toBeUndefined();
  });

  test('adds no contact to its list again that was removed from it', async ({ service }) => {
    await apply(service, { lists: [{ key: 'clients', name: 'Clients' }] });
    const { resumed } = await interrupted(service, fileOf(range(ROWS).map(rowOf)), '?list=clients');
    const { id } = await contactWith(service, 'p7@example.com');
    const members = () =>
      service.database.rows<{ contactId: string }>(
        'select contact_id as "contactId" from list_members where sub_account_id = $1',
        [service.subAccountId],
      );
    await service.database.rows(
      'delete from list_members where sub_account_id = $1 and contact_id = $2',
      [service.subAccountId, id],
    );
    await resumed();
    const listed = (await members()).map(({ contactId }) => contactId);
    expect(listed).toHaveLength(ROWS - 1);
    expect(listed).not.toContain(id);
  });

  test('lists the errors of all of its rows, by line', async ({ service }) => {
    const otherPerson = '00000000-0000-7000-8000-000000000000';
    const rows = range(ROWS).map((n) => `P${n},L,p${n}@example.com,`);
    rows[4] = 'P4,L,nonsense,';
    rows[5] = `P5,L,p5@example.com,${otherPerson}`;
    rows[650] = `P650,L,p650@example.com,${otherPerson}`;
    const csv = ['firstName,lastName,email,assignedTo', ...rows].join('\n');
    const { resumed } = await interrupted(service, csv);
    const done = await resumed();
    expect(done).toMatchObject({ status: 'done', created: ROWS - 3, failed: 3 });
    expect(done.errors.map(({ line }: any) => line)).toEqual([6, 7, 652]);
  });

  test('shows no less progress than before', async ({ service }) => {
    const { id, resumed } = await interrupted(service, fileOf(range(ROWS).map(rowOf)));
    await service.database.rows('update contact_imports set processed = 600 where id = $1', [id]);
    // The batch that is committed is reported again.
    await expect(work(service, id, killedAfter(service, 0))).rejects.toThrow('killed');
    const rows = 'select processed from contact_imports where id = $1';
    expect(await service.database.rows(rows, [id])).toEqual([{ processed: 600 }]);
    expect(await resumed()).toMatchObject(allCreated);
  });

  test('leaves nothing of its file, even if its worker is killed right after its end', async ({
    service,
  }) => {
    const { id, resumed } = await interrupted(service, fileOf(range(ROWS).map(rowOf)));
    expect(await checkpointsOf(service)).toHaveLength(1);
    const { execute } = contextOf(service);
    const dying: JobContext['execute'] = async (text, values) => {
      if (text.startsWith('delete')) {
        throw new Error('killed');
      }
      return execute(text, values);
    };
    await expect(work(service, id, { execute: dying })).rejects.toThrow('killed');
    expect(await checkpointsOf(service)).toHaveLength(2);
    expect(await resumed()).toMatchObject(allCreated);
    await keepHouse(service);
    expect(await checkpointsOf(service)).toEqual([]);
    const parts = 'select 1 from contact_import_parts where sub_account_id = $1';
    expect(await service.database.rows(parts, [service.subAccountId])).toEqual([]);
  });
});

test('a worker that wakes after another one has ended the import changes nothing', async ({
  service,
}) => {
  const { call, transact } = service;
  const last = ROWS - 1;
  const body = { firstName: 'Known', lastName: 'Before', email: `p${last}@example.com` };
  const { id: contactId } = (await call('POST /api/v1/contacts', { body })).body.data;
  const admin = await signInAs(service, 'admin');
  const { id } = (await upload(admin, fileOf(range(ROWS).map(rowOf)))).body.data;
  let calls = 0;
  const stalled: JobContext['transact'] = async (...args) => {
    calls += 1;
    // The first change only checks the access, the second one is the first batch.
    if (calls === 3) {
      await work(service, id, { attempt: 2 });
      await call(`PATCH /api/v1/contacts/${contactId}`, { body: { lastName: 'Corrected' } });
      await service.events();
    }
    return transact(...args);
  };
  await expect(work(service, id, { transact: stalled })).rejects.toThrow('the import has ended');
  expect((await contactWith(service, body.email)).lastName).toBe('Corrected');
  expect(await service.eventNames()).toEqual([]);
  expect(await storedCount(service)).toBe(ROWS);
});
