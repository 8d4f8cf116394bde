import { Fault } from '#core/fault.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { MIGRATIONS_TABLE } from '#platform/database/migrate/schema-state.ts';
import type { Service } from './open-service.ts';
import { requireCurrentSchema } from './require-current-schema.ts';

/**
 * Ends the process once another release has migrated the database: what this one would read and write
 * from then on, nobody has tried. Whoever restarts it finds the new release, or a clear refusal.
 */
export function endWhenOutdated(
  { changes, database, log }: Pick<Service, 'changes' | 'database' | 'log'>,
  lifecycle: Pick<Lifecycle, 'end'>,
): void {
  changes.onChange(MIGRATIONS_TABLE, () => {
    requireCurrentSchema(database).catch((error: unknown) => {
      if (error instanceof Fault) {
        log.fatal(error.message);
        lifecycle.end(1, error.message);
      }
    });
  });
}
