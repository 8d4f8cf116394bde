import { allContacts, importCsv } from '../../support/import-csv.ts';
import { describe, expect, test } from '../../support/service.ts';

const HEADER = 'firstName,lastName,email';
const csv = (...lines: string[]) => lines.join('\n');

describe('a dry run', () => {
  test('returns the same result and writes nothing', async ({ service }) => {
    await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Old', lastName: 'One', email: 'old@example.com' },
    });
    await service.events();
    const rows = Array.from({ length: 600 }, (_, n) => `Row,${n},row${n}@example.com,`);
    const content = csv(
      `${HEADER},additionalEmails`,
      'Old,Name,old@example.com,taken@example.com',
      ...rows,
      'Row,0,ROW0@example.com,',
      'Row,changed,row1@example.com,',
      'New,Name,another@example.com,TAKEN@example.com',
      'Old,Name,taken@example.com,',
      'Bad,Row,no-one,',
    );
    const before = await allContacts(service);
    const dryRun = await importCsv(service, content, { dryRun: true });

    expect(dryRun).toMatchObject({ created: 600, updated: 2, skipped: 2, failed: 2 });
    expect(await allContacts(service)).toEqual(before);
    expect(await service.eventNames()).toEqual([]);
    expect(await importCsv(service, content)).toEqual(dryRun);
  });
});
