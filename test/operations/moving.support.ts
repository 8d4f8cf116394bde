import { join } from 'node:path';
import { secretsOf } from '#platform/config/secrets.ts';
import { newKey } from '../support/frontdesk.ts';
import { populate, type Populated } from '../support/populate/populate.ts';
import { tablesToFill } from '../support/populate/columns.ts';
import { newDatabase, newFolder, run, withDatabase } from './backup.support.ts';
import { bindKey } from '../support/bind-key.ts';

export interface Place {
  readonly url: string;
  readonly secretKey: string;
  readonly admin: (...args: readonly string[]) => ReturnType<typeof run>;
}

/** An installation that is removed after the test, with its own key unless one is given. */
export async function newPlace(secretKey = newKey(), at?: string): Promise<Place> {
  const url = at ?? (await newDatabase('migrated'));
  if (at) {
    await run(['migrate'], url, { FRONTDESK_SECRET_KEY: secretKey });
  } else {
    await bindKey({ DATABASE_URL: url, FRONTDESK_SECRET_KEY: secretKey });
  }
  return {
    url,
    secretKey,
    admin: (...args) => run(['admin', ...args], url, { FRONTDESK_SECRET_KEY: secretKey }),
  };
}

const bytesOf = (secretKey: string) => Buffer.from(secretKey, 'base64');

/**
 * Users stay in their installation, and so does what they may do or allowed programs to do. Contents that
 * are about to be removed are those of the installation's own storage.
 */
const STAYING = new Set(['memberships', 'oauth_grants', 'oauth_refresh_tokens', 'file_deletions']);

/** A sub-account with a row in every table; nothing is due before tomorrow. */
export const populated = ({ url, secretKey }: Place): Promise<Populated> =>
  withDatabase(url, async (client) => {
    const made = await populate(client, secretsOf(bytesOf(secretKey)));
    await client.query('delete from outbox');
    return made;
  });

/** Exports the sub-account and returns the file. */
export async function exported({ admin }: Place, subAccountId: string) {
  const file = join(await newFolder(), 'one.frontdesk');
  const ran = await admin('sub-account', 'export', subAccountId, file);
  return { file, ...ran };
}

/** All rows of a sub-account by table, as PostgreSQL writes them, and its jobs. */
export const rowsOf = (
  { url }: Pick<Place, 'url'>,
  subAccountId: string,
): Promise<Record<string, readonly string[]>> =>
  withDatabase(url, async (client) => {
    await client.query(`set timezone = 'UTC'`);
    const content: Record<string, readonly string[]> = {};
    const tables = await tablesToFill(client);
    for (const { name } of tables.filter((table) => !STAYING.has(table.name))) {
      const owner = name === 'sub_accounts' ? 'id' : 'sub_account_id';
      const { rows } = await client.query(
        `select t::text as row from "${name}" t where ${owner} = $1 order by 1`,
        [subAccountId],
      );
      content[name] = rows
        .map(({ row }) => row)
        .filter(
          (row) =>
            !/,admin sub-account (?:ex|im)port,/.test(row) && !row.includes('"admin sub-account'),
        );
    }
    const { rows: jobs } = await client.query(JOBS, [subAccountId]);
    return { ...content, jobs: jobs.map((job) => JSON.stringify(job)) };
  });

const JOBS = `select t.identifier, j.payload, j.run_at, j.max_attempts, j.key
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where j.payload ->> 'subAccountId' = $1 order by j.id`;

/** The total number of rows of the sub-account. */
export const countOf = async (place: Pick<Place, 'url'>, subAccountId: string): Promise<number> =>
  Object.values(await rowsOf(place, subAccountId)).flat().length;
