import { fail, ok, warn, type Check } from './check.ts';

const VERSION_LEAST = 150_000;
/** Of the connections that the server allows. */
const CROWDED = 0.8;

export const database: Check = {
  name: 'database',
  async examine({ rows }) {
    const asked = performance.now();
    const [found] = await rows<Server>(SERVER);
    const ms = Math.round(performance.now() - asked);
    const { version, number, encoding, used, allowed } = found as Server;
    if (number < VERSION_LEAST) {
      return fail(`PostgreSQL ${version} is older than 15`, 'upgrade it to 15 or later');
    }
    if (encoding !== 'UTF8') {
      return fail(
        `the database has the encoding ${encoding}`,
        'create a database with the encoding UTF8 and restore a backup into it',
      );
    }
    if (used > allowed * CROWDED) {
      return warn(
        `${used} of the ${allowed} connections that PostgreSQL allows are taken`,
        'raise max_connections, or run fewer processes',
      );
    }
    return ok(`PostgreSQL ${version} answers in ${ms} ms, ${used} of ${allowed} connections`);
  },
};

interface Server {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly used: number;
  readonly allowed: number;
}

const SERVER = `select split_part(current_setting('server_version'), ' ', 1) as version,
  current_setting('server_version_num')::int as number,
  current_setting('server_encoding') as encoding,
  (select sum(numbackends)::int from pg_stat_database) as used,
  current_setting('max_connections')::int as allowed`;
