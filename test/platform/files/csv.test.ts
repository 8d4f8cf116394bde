import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { checkCsv, csvStream, readCsv, writeCsvFile } from '#platform/files/csv.ts';
import { busy, cyclesDuring } from '../../support/cycles.ts';

async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'csv-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'contacts.csv');
  await writeFile(path, content);
  return path;
}

const HEADER = 'firstName,lastName\n';
const ignore = () => undefined;

test.for([
  ['blank lines', '\n'],
  ['rows of one cell', 'a\n'],
  ['rows of three cells', 'a,b,c\n'],
] as const)('a file with very many %s is refused', async ([, row]) => {
  const path = await fileWith(HEADER + row.repeat(10_001));
  await expect(checkCsv(path, ignore)).rejects.toThrow('has more than 10000 blank lines and rows');
});

test('a file with many such rows is read', async () => {
  const path = await fileWith(`${HEADER}${'a\n'.repeat(5_000)}${'\n'.repeat(5_000)}a,b\n`);
  expect(await checkCsv(path, ignore)).toMatchObject({ rows: 5_001 });
});

test('other work of the process goes on while very short rows are read', async () => {
  const file = await checkCsv(await fileWith(HEADER + 'a,b\n'.repeat(20_000)), ignore);
  let rows = 0;
  let between = 0;
  let most = 0;
  const reading = (async () => {
    for await (const _ of readCsv(file)) {
      rows += 1;
      between += 1;
      most = Math.max(most, between);
    }
  })();
  while (rows < file.rows) {
    between = 0;
    await nextImmediate();
  }
  await reading;
  expect(most).toBeLessThan(5_000);
});

test('a CSV that is sent lets other work run, however long it is', async () => {
  async function* rows() {
    for (let row = 0; row < 1_000; row += 1) {
      busy(row % 100 === 0 ? 12 : 0);
      yield [String(row), 'a, b'];
    }
  }
  const text = new Response(csvStream('one', rows())).text();
  expect(await cyclesDuring(text)).toBeGreaterThanOrEqual(8);
  const lines = (await text).split('\n');
  expect([lines[0], lines[999], lines.length]).toEqual(['0,"a, b"', '999,"a, b"', 1_001]);
});

test('a CSV for which the disk has no room is refused with its path', async () => {
  const path = await fileWith('before');
  async function* rows() {
    yield ['half'];
    // The error of the system: it names no file.
    await writeFile('/dev/full', 'half');
  }
  await expect(writeCsvFile(rows(), path)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `${path} cannot be written: no space left on the disk (ENOSPC)`,
  });
  expect(await readFile(path, 'utf8')).toBe('before');
});
