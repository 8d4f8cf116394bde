import { counted } from '#lib/counted.ts';
import { schemaState } from '#platform/database/migrate/schema-state.ts';
import { fail, ok, type Check } from '../check.ts';

export const migrations: Check = {
  name: 'migrations',
  async examine({ rows, migrations: known }) {
    const { pending, unknown } = await schemaState(rows, known);
    if (unknown.length > 0) {
      return fail(
        `the database is newer than this release: it has ${unknown.join(', ')}`,
        'run the newer release that migrated the database',
      );
    }
    return pending.length > 0
      ? fail(
          `${counted(pending.length, 'migration')} pending, the first one is ${pending[0]}`,
          'run frontdesk migrate',
        )
      : ok(`all ${known.length} migrations are applied`);
  },
};
