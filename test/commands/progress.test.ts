import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '#registry/migrations.ts';
import { newDatabase, newFolder, run } from '../operations/backup.support.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { newKey } from '../support/frontdesk.ts';
import { openTerminal } from '../support/terminal.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
  await installation.createContact('Ada');
  await installation.createContact('Grace');
});
afterAll(() => installation.close());

describe('a terminal shows the progress of', () => {
  test('migrate, in migrations', async () => {
    const terminal = openTerminal(['migrate'], {
      DATABASE_URL: await newDatabase('empty'),
      FRONTDESK_SECRET_KEY: newKey(),
    });
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain(`100 %  ${migrations.length} migrations`);
  });

  test('restore, in rows', async () => {
    const file = join(await newFolder(), 'one.backup');
    await run(['backup', file], installation.databaseUrl);
    const terminal = openTerminal(['restore', file], {
      ...installation.variables,
      DATABASE_URL: await newDatabase('empty'),
    });
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toMatch(/100 % {2}\d+ rows/);
  });

  test('an export of contacts, but not between the contacts themselves', async () => {
    const file = join(await newFolder(), 'contacts.csv');
    const args = ['admin', 'contact', 'export', file, '--sub-account', installation.subAccountId];
    const terminal = openTerminal(args, installation.variables);
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toContain('100 %  2 contacts');
    const printed = openTerminal(args.with(3, '-'), installation.variables);
    expect(await printed.exited).toBe(0);
    expect(printed.screen()).toContain('Grace');
    expect(printed.screen()).not.toContain('%');
  });
});
