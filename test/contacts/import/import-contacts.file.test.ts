import { allContacts, importCsv } from '../../support/import-csv.ts';
import { checkCsv } from '#platform/files/csv.ts';
import { describe, expect, test } from '../../support/service.ts';

const NOTHING = { created: 0, updated: 0, skipped: 0, failed: 0, errors: [] };
const HEADER = 'firstName,lastName,email';
const csv = (...lines: string[]) => lines.join('\n');

describe('a file', () => {
  const ada = { firstName: 'Ada', lastName: 'Löw', email: 'ada@example.com' };

  test.for([
    ['a byte order mark', '\uFEFFfirstName,lastName,email\nAda,Löw,ada@example.com\n'],
    ['CRLF', 'firstName,lastName,email\r\nAda,Löw,ada@example.com\r\n'],
    ['no last line break', 'firstName,lastName,email\nAda,Löw,ada@example.com'],
    ['CR alone', 'firstName,lastName,email\rAda,Löw,ada@example.com\r'],
    ['semicolons', 'firstName;lastName;email\nAda;Löw;ada@example.com\n'],
    ['tabs', 'firstName\tlastName\temail\nAda\tLöw\tada@example.com\n'],
    ['quotes', '"firstName","lastName","email"\n"Ada","Löw","ada@example.com"\n'],
  ] as const)('with %s is read', async ([, content], { service }) => {
    expect(await importCsv(service, content)).toEqual({ ...NOTHING, created: 1 });
    expect(await allContacts(service)).toMatchObject([ada]);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test.for([
    ['that is empty', '', 'is empty'],
    ['without lastName', 'firstName,email\nAda,ada@example.com', 'line 1: lastName is missing'],
    [
      'with an unknown column',
      `${HEADER},nick\nA,B,c@example.com,d`,
      'line 1: nick is not a column',
    ],
    ['with a column twice', `${HEADER},email\nA,B,c@example.com,d`, 'line 1: email appears twice'],
    [
      'that ends inside quotes',
      `${HEADER}\nAda,L,ada@example.com\nBob,"R,bob@example.com\n`,
      'line 3: a quote opens here',
    ],
    [
      'that is not UTF-8',
      Buffer.concat([
        Buffer.from(`${HEADER}\nAda,L,ada@example.com\n`),
        Buffer.from('Zoé,R,zoe@example.com\n', 'latin1'),
      ]),
      'is not in UTF-8: see line 3',
    ],
    ['in UTF-16', Buffer.from(`\uFEFF${HEADER}\nAda,L,a@example.com\n`, 'utf16le'), 'UTF-8'],
    [
      'that ends within a character',
      Buffer.concat([Buffer.from(`${HEADER}\nAda,L,a@example.com\n`), Buffer.from([0xc3])]),
      'UTF-8',
    ],
  ] as const)('%s is refused and nothing is changed', async ([, content, message], { service }) => {
    await expect(importCsv(service, content)).rejects.toThrow(message);
    expect(await allContacts(service)).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  });

  test('of many batches is imported completely, with one audit row per batch', async ({
    service,
  }) => {
    const rows = Array.from({ length: 1_234 }, (_, n) => `Row,${n},row${n}@example.com`);
    expect(await importCsv(service, csv(HEADER, ...rows, 'Row,again,row5@example.com'))).toEqual({
      ...NOTHING,
      created: 1_234,
      updated: 1,
    });
    const { body } = await service.call('GET /api/v1/contacts?limit=1');
    expect(body.meta.total).toBe(1_234);
    const audit = await service.database.rows<{ records: number; rows: number }>(
      `select count(distinct record_id) as records, count(*) as rows from audit_entries
       where sub_account_id = $1 and operation = 'test' and at >= (
         select min(created_at) from contacts where sub_account_id = $1)`,
      [service.subAccountId],
    );
    expect(audit).toEqual([{ records: 1, rows: 3 }]);
    expect(await service.eventNames()).toHaveLength(1_235);
  });

  test.for([
    ['that does not exist', '/nowhere.csv', 'cannot be read'],
    ['that is a folder', '/tmp', 'is not a file'],
  ] as const)('%s is refused with its path', async ([, path, message]) => {
    await expect(checkCsv(path, () => undefined)).rejects.toThrow(`${path} ${message}`);
  });
});
