import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { newDatabase, newFolder, retell, run, withDatabase } from './backup.support.ts';

let installation: Installation;
/** A backup, and an empty database for it. */
let whole: Buffer | undefined;
let into: string;
let file: string;
beforeAll(async () => {
  installation = await startInstallation();
  await installation.createContact('Ada');
  await withDatabase(installation.databaseUrl, (client) =>
    client.query(
      `select graphile_worker.add_job('operations/housekeeping', '{}', job_key => 'one')`,
    ),
  );
});
afterAll(() => installation.close());
beforeEach(async () => {
  file = `${await newFolder()}/one.backup`;
  into = await newDatabase('migrated');
  if (!whole) {
    await run(['backup', file], installation.databaseUrl, installation.variables);
    whole = await readFile(file);
  }
  await writeFile(file, whole);
});

const inTrailer = (change: (trailer: any) => void) => (text: string) => {
  const lines = text.split('\n');
  const trailer = JSON.parse(lines.at(-2) ?? '');
  change(trailer);
  return [...lines.slice(0, -2), JSON.stringify(trailer), ''].join('\n');
};

/** Returns the message of a refusal: one line, without a stack. */
async function refusalOf(args: readonly string[]): Promise<string> {
  const { code, stderr } = await run(args, into, installation.variables);
  const { error } = JSON.parse(stderr);
  expect({ code, ...error }).toEqual({ code: 1, message: expect.any(String) });
  expect(error.message).not.toMatch(/\n|this is a bug/);
  return error.message;
}

const ROWS = /rows of contacts/;

test.each<[string, (text: string) => string, RegExp]>([
  ['one row more than it contains', inTrailer(({ rows }) => (rows.contacts += 1)), ROWS],
  ['no rows of a table that it contains', inTrailer(({ rows }) => delete rows.contacts), ROWS],
  ['rows of a table that it lacks', inTrailer(({ rows }) => (rows.others = 1)), /rows of others/],
  [
    'another number of rows of a table',
    (text) => text.replace(/(\{"table":"contacts"[^]*?\{"count":)\d+/, '$17'),
    ROWS,
  ],
  ['files without a number', inTrailer((trailer) => (trailer.files = { count: 'x' })), /altered/],
])('a backup that names %s is refused', async (_, change, why) => {
  await retell(file, change);
  for (const args of [
    ['backup', 'verify', file],
    ['restore', file],
  ]) {
    expect(await refusalOf(args)).toMatch(why);
  }
});

const SEQUENCES = /does not have the sequences of this schema/;
const TABLES = /does not have the tables of this schema/;
const sequence = (more: object) =>
  inTrailer((trailer) => (trailer.sequences = [{ ...trailer.sequences[0], ...more }]));

test.each<[string, (text: string) => string, RegExp]>([
  ['another sequence', sequence({ name: 'x"; drop table contacts; --' }), SEQUENCES],
  ['no sequence', inTrailer((trailer) => (trailer.sequences = [])), SEQUENCES],
  ['a sequence beyond its end', sequence({ value: '9999999999999999999' }), /refuses/],
  [
    'a table of the system without columns',
    (text) =>
      inTrailer(({ rows }) => (rows.pg_authid = 0))(
        text.replace('{"table":"contacts"', '{"table":"pg_authid","columns":[]}\n{"count":0}\n$&'),
      ),
    TABLES,
  ],
])('a backup with %s is not restored', async (_, change, why) => {
  await retell(file, change);
  expect(await refusalOf(['restore', file])).toMatch(why);
});

test('the backup itself is restored', async () => {
  expect(await run(['restore', file], into, installation.variables)).toMatchObject({ code: 0 });
});
