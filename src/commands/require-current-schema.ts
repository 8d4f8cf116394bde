import { Fault } from '#kit/fault.ts';
import type { Database } from '#platform/database.ts';
import { schemaState } from '#platform/schema-state.ts';
import { migrations } from '#registry/migrations.ts';

/** Refuses a database that this release does not fit, in either direction. */
export async function requireCurrentSchema({ rows }: Database): Promise<void> {
  const { pending, unknown } = await schemaState(rows, migrations);
  if (pending.length > 0) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `the database lacks ${pending.length} migration(s), the first is ${pending[0]}: run frontdesk migrate`,
    );
  }
  if (unknown.length > 0) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `the database is ahead of this release by ${unknown.join(', ')}: run a newer frontdesk`,
    );
  }
}
