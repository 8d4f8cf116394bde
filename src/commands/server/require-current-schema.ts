import { Fault } from '#core/fault.ts';
import type { Database } from '#platform/database/database.ts';
import { refuseLater, schemaState } from '#platform/database/migrate/schema-state.ts';
import { migrations } from '#registry/migrations.ts';

/** Refuses a database that this release does not fit, in either direction. */
export async function requireCurrentSchema({ rows }: Database): Promise<void> {
  const state = await schemaState(rows, migrations);
  refuseLater(state);
  const { pending } = state;
  if (pending.length > 0) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `the database lacks ${pending.length} migration(s), the first is ${pending[0]}: run frontdesk migrate`,
    );
  }
}
