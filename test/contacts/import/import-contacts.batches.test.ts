import { createHash } from 'node:crypto';
import { importCsv } from '../../support/import-csv.ts';
import { describe, expect, test } from '../../support/service.ts';

const HEADER = 'firstName,lastName,email,company';
/** Some batches of 500, so that rows with a known address are between rows without. */
const ROWS = 4_000;
const ROUNDS = 5;

/** Returns a pseudo-random number, the same in each run. */
const drawn = (...from: readonly number[]) =>
  createHash('sha256').update(from.join()).digest().readUInt32BE();

interface Row {
  readonly email: string;
  readonly company: string;
}

/** Sometimes returns the address of an earlier row, near or far, in another case. */
function fileOf(round: number): Row[] {
  const rows: Row[] = [];
  for (let n = 0; n < ROWS; n += 1) {
    const draw = drawn(round, n);
    const rare = n > 0 && draw % (round * 150 + 50) === 0;
    const earlier = rare ? rows[drawn(draw) % n]?.email.toUpperCase() : undefined;
    rows.push({ email: earlier ?? `p${n}@example.com`, company: `Company ${n}` });
  }
  return rows;
}

describe('batches of a file', () => {
  test('have the same result as importing the rows one by one', async ({ service }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = fileOf(round).map((row) => ({ ...row, email: `r${round}.${row.email}` }));
      const expected = new Map<string, string>();
      for (const { email, company } of rows) {
        expected.set(email.toLowerCase(), company);
      }
      const lines = rows.map(({ email, company }) => `Ada,Lovelace,${email},${company}`);
      const result = await importCsv(service, [HEADER, ...lines].join('\n'));

      expect(result).toEqual({
        created: expected.size,
        updated: ROWS - expected.size,
        skipped: 0,
        failed: 0,
        errors: [],
      });
      const found = await service.database.rows<Row>(
        `select email, company from contacts
         where sub_account_id = $1 and email like $2 order by created_at, id`,
        [service.subAccountId, `r${round}.%`],
      );
      // In the file's order, too: a map keeps the place of the first mention.
      expect(found.map(({ email, company }) => [email, company])).toEqual([...expected]);
    }
  });
});
