import type { Switches } from '#core/command.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { keepHeapSmall } from '#platform/process/small-heap.ts';
import { joining } from '../campaigns/lists/add-to-list.ts';
import { importContacts, type ImportResult } from '../contacts/import/import-contacts.ts';
import { copyContacts, DRY_RUN } from '../contacts/import/dry-run-import.ts';
import type { AdminContext } from './context.ts';

interface ImportInput {
  readonly subAccountId: string;
  readonly path: string;
  readonly dryRun: boolean;
  /** A static list that everybody in the file is put on. */
  readonly list?: string | undefined;
}

export async function runImport(
  context: AdminContext,
  { subAccountId, path, dryRun, list }: ImportInput,
  switches: Switches,
): Promise<ImportResult> {
  const { actor, openView, clock } = context;
  keepHeapSmall();
  const bar = openProgressBar(switches);
  const view = openView(subAccountId, clock());
  const onContacts = list === undefined ? undefined : await joining(view, list);
  const deps = { actor, view, onProgress: bar.update };
  const dryRunService = dryRun ? await runDry(context) : undefined;
  try {
    return await importContacts(
      dryRunService
        ? { ...deps, transact: dryRunService.transact, prepare: copyContacts }
        : { ...deps, transact: context.transact, ...(onContacts && { onContacts }) },
      path,
    );
  } finally {
    bar.clear();
    await dryRunService?.close();
  }
}

async function runDry(context: AdminContext) {
  const { openDryRun: openRehearsal } = await import('./open-dry-run.ts');
  return openRehearsal(context, DRY_RUN);
}
