import type { Transact } from '#core/work.ts';
import { entityManagers } from '#platform/database/orm.ts';
import { openDryRunDatabase } from '#platform/database/dry-run.ts';
import { transactor } from '#platform/database/work/transact.ts';
import type { Service } from './open-service.ts';

export interface DryRun {
  readonly transact: Transact;
  close(): Promise<void>;
}

/**
 * Runs work with the same outcome as real work, on temporary copies that `tables` create. Nothing reacts
 * to the events: reactions write to other tables.
 */
export function openDryRun(
  { database, openView, clock }: Service,
  tables: readonly string[],
): DryRun {
  const dryRunDatabase = openDryRunDatabase(database, tables);
  const transact = transactor({
    database: dryRunDatabase,
    entityManagers: entityManagers(),
    reactions: [],
    openView,
    clock,
    onEvents: () => undefined,
  });
  return { transact, close: dryRunDatabase.close };
}
