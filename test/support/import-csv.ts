import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDryRun } from '../../src/commands/server/open-dry-run.ts';
import { importContacts, type ImportResult } from '../../src/contacts/import/import-contacts.ts';
import { copyContacts, DRY_RUN } from '../../src/contacts/import/dry-run-import.ts';
import type { TestService } from './service.ts';

export async function inScratch<R>(use: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-csv-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Imports a file with this content, as the command does. */
export const importCsv = (
  service: TestService,
  content: string | Uint8Array,
  { dryRun = false } = {},
): Promise<ImportResult> =>
  inScratch(async (folder) => {
    const path = join(folder, 'contacts.csv');
    await writeFile(path, content);
    const { actor, subAccountId, clock, openView, transact } = service;
    const deps = { actor, view: openView(subAccountId, clock()) };
    if (!dryRun) {
      return importContacts({ ...deps, transact }, path);
    }
    const opened = openDryRun(service, DRY_RUN);
    try {
      const trial = { ...deps, transact: opened.transact, prepare: copyContacts };
      return await importContacts(trial, path);
    } finally {
      await opened.close();
    }
  });

/** Every live contact as the API shows it, oldest first. */
export async function allContacts(service: TestService): Promise<any[]> {
  const { body } = await service.call('GET /api/v1/contacts?limit=100');
  return body.data.toReversed();
}
