import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { writeCsvFile } from '#platform/files/csv.ts';
import { exportContacts } from '../../../src/contacts/import/export-contacts.ts';
import { defineFields } from '../../support/custom-fields.ts';
import { allContacts, importCsv, inScratch } from '../../support/import-csv.ts';
import { describe, expect, test, type TestService } from '../../support/service.ts';

const exportCsv = (service: TestService) =>
  inScratch(async (folder) => {
    const path = join(folder, 'out.csv');
    await writeCsvFile(exportContacts(service.openView(service.subAccountId, new Date())), path);
    return readFile(path, 'utf8');
  });

const HOSTILE = ['=1+1', '"', ',', ';', '\\', '\n', '\r\n', "'", ' ', '@', '-', '+', 'é', '𝄞', 'a'];

const hostile = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength })
    .map((parts) => parts.join(''))
    .filter((text) => text.trim() !== '');

const contact = fc.record(
  {
    firstName: hostile(8),
    lastName: hostile(8),
    company: hostile(8),
    addressLine1: hostile(8),
    phone: fc.constantFrom('+4930123456', '+493012345678'),
    tags: fc.array(hostile(6), { maxLength: 4 }),
    additionalPhones: fc.constantFrom([], ['+4930123457', '+4930123458']),
    dateOfBirth: fc.constant('1815-12-10'),
    customFields: fc.record(
      {
        note: fc.oneof(hostile(8), fc.constantFrom('', ' ')),
        age: fc.double({ noNaN: true, noDefaultInfinity: true }),
        vip: fc.boolean(),
        site: fc.constantFrom('https://example.com/ ', 'http://example.com/?a=1,2'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['firstName', 'lastName'] },
);

describe('an export', () => {
  test('changes nothing when it is imported again, for any texts', async ({ service }) => {
    await defineFields(service, [
      { name: 'note', type: 'text' },
      { name: 'age', type: 'number' },
      { name: 'vip', type: 'boolean' },
      { name: 'site', type: 'url' },
    ]);
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 4 }), async (drawn) => {
        for (const fields of drawn) {
          n += 1;
          const emails = [`=a${n}@example.com`, `+b${n}@example.com`, `'-c${n}@example.com`];
          const [email, ...additionalEmails] = emails.slice(n % 4);
          const body = { ...fields, ...(email && { email }), additionalEmails };
          const { status } = await service.call('POST /api/v1/contacts', { body });
          expect(status).toBe(201);
        }
        const before = await service.database.rows('select * from contacts order by id');
        await service.events();
        const content = await exportCsv(service);
        const result = await importCsv(service, content);
        expect(result).toEqual({ created: 0, updated: 0, skipped: n, failed: 0, errors: [] });
        expect(await service.database.rows('select * from contacts order by id')).toEqual(before);
        expect(await service.eventNames()).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  test('has every live contact once, oldest first, over several pages', async ({ service }) => {
    const rows = Array.from({ length: 2_001 }, (_, n) => `Row,${n},row${n}@example.com`);
    await importCsv(service, ['firstName,lastName,email', ...rows].join('\n'));
    const [first] = await allContacts(service);
    await service.call(`DELETE /api/v1/contacts/${first.id}`);
    await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Other', lastName: 'One' },
      key: 'other',
    });
    await service.events();

    const names = parse<{ lastName: string }>(await exportCsv(service), { columns: true }).map(
      ({ lastName }) => lastName,
    );
    expect(names).toHaveLength(2_000);
    expect(names).not.toContain(first.lastName);
    expect(names).toEqual(names.toSorted((a, b) => Number(a) - Number(b)));
    expect(await service.eventNames()).toEqual([]);
  });

  test('has no cell that a spreadsheet would evaluate', async ({ service }) => {
    await service.call('POST /api/v1/contacts', {
      body: {
        firstName: '=cmd|calc',
        lastName: '@SUM(A1)',
        company: '-1',
        phone: '+4930123456',
        title: '\t=1',
        city: '\r=1',
      },
    });
    const [, cells] = parse(await exportCsv(service));
    expect(cells?.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(cells).toContain("'+4930123456");
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('can be imported into another sub-account', async ({ service }) => {
    await service.call('POST /api/v1/contacts', {
      body: { firstName: 'Ada', lastName: 'L', email: 'ada@example.com' },
      key: 'other',
    });
    const foreign = { ...service, subAccountId: service.otherSubAccountId };
    const result = await importCsv(service, await exportCsv(foreign));
    expect(result).toMatchObject({ created: 1, failed: 0 });
    expect(await service.eventNames()).toEqual(['contact.created']);
  });
});

describe('the file', () => {
  test('is readable only by its owner', () =>
    inScratch(async (folder) => {
      const path = join(folder, 'out.csv');
      await writeCsvFile(rowsOf(['a'], ['b']), path);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).toBe('a\nb\n');
    }));

  test('is unchanged, without leftovers, if writing fails', () =>
    inScratch(async (folder) => {
      const path = join(folder, 'out.csv');
      await writeCsvFile(rowsOf(['before']), path);
      async function* broken() {
        yield ['half'];
        await Promise.resolve();
        throw new Error('the database went away');
      }
      await expect(writeCsvFile(broken(), path)).rejects.toThrow('went away');
      expect(await readFile(path, 'utf8')).toBe('before\n');
      expect(await readdir(folder)).toEqual(['out.csv']);
    }));

  test('in a missing folder is refused with its path', async () => {
    await expect(writeCsvFile(rowsOf(['a']), '/nowhere/out.csv')).rejects.toThrow(
      '/nowhere/out.csv cannot be written',
    );
  });
});

async function* rowsOf(...rows: string[][]) {
  yield* await Promise.resolve(rows);
}
