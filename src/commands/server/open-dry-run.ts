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
 * Works that come to the same outcome as real ones and leave nothing behind: `tables` create what
 * stands in front of the real tables. Nobody reacts to the events, for reactions write elsewhere.
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
