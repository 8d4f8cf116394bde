import { Client } from 'pg';
import { defineFields } from '../../support/custom-fields.ts';
import { allContacts, importCsv } from '../../support/import-csv.ts';
import { describe, expect, test } from '../../support/service.ts';
import { WAITING } from '../../support/locks.ts';

const NOTHING = { created: 0, updated: 0, skipped: 0, failed: 0, errors: [] };
const HEADER = 'firstName,lastName,email';
const csv = (...lines: string[]) => lines.join('\n');

describe('a row that fails', () => {
  test('is reported by line and column and does not affect the others', async ({ service }) => {
    await defineFields(service, [{ name: 'plan', type: 'text', isRequired: true }]);
    await service.call('POST /api/v1/contacts', {
      body: { firstName: 'X', lastName: 'Y', email: 'x@example.com', customFields: { plan: 'p' } },
    });
    await service.events();
    const result = await importCsv(
      service,
      csv(
        'firstName,lastName,email,assignedTo,additionalEmails,customFields.plan',
        'Ada,"Love',
        'lace",ada@example.com,,,a',
        ',R,bob@example.com,,,a',
        '',
        ',,,,,',
        'Cid,R,no-one,,,a',
        `Dan,R,dan@example.com,${crypto.randomUUID()},,a`,
        'Eve,R,eve@example.com,,X@example.com,a',
        'Fay,R,fay@example.com,,,',
        'Gus,R',
        'Hal,R,hal@example.com,,,a',
      ),
    );

    expect(result).toEqual({
      created: 2,
      updated: 0,
      skipped: 0,
      failed: 6,
      errors: [
        { line: 4, message: 'firstName: is required' },
        {
          line: 7,
          message: 'email: "no-one" is not an email address; write one address and nothing else',
        },
        { line: 8, message: 'assignedTo: is not a team member of this sub-account' },
        { line: 9, message: 'additionalEmails: belongs to another contact' },
        { line: 10, message: 'customFields.plan: is required' },
        { line: 11, message: 'has 2 cells, but the header has 6' },
      ],
    });
    const names = (await allContacts(service)).map(({ lastName }) => lastName);
    expect(names).toEqual(['Y', 'Love\nlace', 'R']);
    expect(await service.eventNames()).toEqual(['contact.created', 'contact.created']);
  });

  test('for a contact that is created meanwhile updates it or fails, and the batch is imported', async ({
    service,
  }) => {
    // An open transaction has claimed the address: the import has to wait for it.
    const rival = new Client({ connectionString: service.databaseUrl });
    await rival.connect();
    const id = crypto.randomUUID();
    await rival.query('begin');
    await rival.query(
      `insert into contacts (sub_account_id, id, first_name, last_name, email, lifecycle_stage,
         created_at, updated_at)
       values ($1, $2, 'Rival', 'R', 'row7@example.com', 'lead', now(), now())`,
      [service.subAccountId, id],
    );
    await rival.query(
      'insert into contact_emails (sub_account_id, email, contact_id) values ($1, $2, $3)',
      [service.subAccountId, 'row7@example.com', id],
    );
    const rows = Array.from({ length: 40 }, (_, n) => `Row,${n},row${n}@example.com`);
    const importing = importCsv(service, csv(HEADER, ...rows));
    await waitUntilBlocked(rival);
    await rival.query('commit');
    await rival.end();

    expect(await importing).toEqual({ ...NOTHING, created: 39, updated: 1 });
    const { body } = await service.call(`GET /api/v1/contacts/${id}`);
    expect(body.data).toMatchObject({ firstName: 'Row', lastName: '7' });
    const names = await service.eventNames();
    expect(names.filter((name) => name === 'contact.created')).toHaveLength(39);
    expect(names.filter((name) => name === 'contact.updated')).toHaveLength(1);
    expect(names).toHaveLength(40);
  });

  test.for([
    ['deleted', 'delete from contact_emails where contact_id = $2 and $1::uuid is not null'],
    ['merged', 'update contact_emails set contact_id = $1 where contact_id = $2'],
  ] as const)(
    'for a contact that is %s meanwhile is imported',
    async ([what, sql], { service }) => {
      const [kept, gone] = await Promise.all(
        ['kept@example.com', 'gone@example.com'].map(async (email) => {
          const body = { firstName: 'X', lastName: 'Y', email };
          return (await service.call('POST /api/v1/contacts', { body })).body.data.id;
        }),
      );
      await service.events();
      const rival = new Client({ connectionString: service.databaseUrl });
      await rival.connect();
      await rival.query('begin');
      await rival.query('update contacts set deleted_at = now() where id = $1', [gone]);
      await rival.query(sql, [kept, gone]);
      if (what === 'merged') {
        const text = 'update contacts set additional_emails = $2 where id = $1';
        await rival.query(text, [kept, ['gone@example.com']]);
      }
      const importing = importCsv(
        service,
        csv(HEADER, 'Ada,L,gone@example.com', 'Bob,L,b@example.com'),
      );
      await waitUntilBlocked(rival);
      await rival.query('commit');
      await rival.end();

      const isMerged = what === 'merged';
      const counts = isMerged ? { created: 1, updated: 1 } : { created: 2 };
      expect(await importing).toEqual({ ...NOTHING, ...counts });
      const { body } = await service.call(`GET /api/v1/contacts/${kept}`);
      expect(body.data.firstName).toBe(isMerged ? 'Ada' : 'X');
      const names = isMerged
        ? ['contact.created', 'contact.updated']
        : Array(2).fill('contact.created');
      expect((await service.eventNames()).toSorted()).toEqual(names);
    },
  );
});

async function waitUntilBlocked(client: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(WAITING);
    if (rowCount) {
      return;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
