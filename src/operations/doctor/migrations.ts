import { counted } from '#lib/counted.ts';
import { schemaState } from '#platform/database/migrate/schema-state.ts';
import { fail, ok, type Check } from './check.ts';

export const migrations: Check = {
  name: 'migrations',
  async examine({ rows, migrations: known }) {
    const { pending, unknown } = await schemaState(rows, known);
    if (unknown.length > 0) {
      return fail(
        `the database is ahead of this release by ${unknown.join(', ')}`,
        'run the newer release that migrated it',
      );
    }
    return pending.length > 0
      ? fail(
          `${counted(pending.length, 'migration')} pending, the first is ${pending[0]}`,
          'run frontdesk migrate',
        )
      : ok(`all ${known.length} migrations are applied`);
  },
};
