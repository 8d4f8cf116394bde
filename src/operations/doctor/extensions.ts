import { fail, ok, type Check } from './check.ts';

const NEEDED = ['btree_gin', 'btree_gist', 'pg_trgm', 'unaccent'];

export const extensions: Check = {
  name: 'extensions',
  async examine({ rows }) {
    const there = await rows<{ name: string }>(
      'select extname as name from pg_extension where extname = any ($1)',
      [NEEDED],
    );
    const missing = NEEDED.filter((name) => there.every((one) => one.name !== name));
    return missing.length > 0
      ? fail(
          `${missing.join(', ')} are not in the database`,
          'install the contributed modules of PostgreSQL (postgresql-contrib), then run frontdesk migrate',
        )
      : ok(NEEDED.join(', '));
  },
};
