import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Ground } from '../ground.ts';
import { requestText, UNIQUE } from '../hammer.ts';
import { startServerProcess } from '../processes.ts';
import { CONNECTIONS, crudScenario, type Peer } from './crud.ts';
import { PEERS_FOLDER } from './install.ts';

const PROGRAM = join(PEERS_FOLDER, 'node_modules/directus/cli.js');
/** Directus has tables of its own, and cannot serve tables whose primary key has two columns. */
const SCHEMA = 'directus';

const NEW_CONTACT = JSON.stringify({
  first_name: 'Katharina',
  last_name: 'Belmonte',
  email: `katharina.${UNIQUE}@example.com`,
  phone: '+493012345678',
  company: 'Belmonte GmbH',
  tags: ['newsletter', 'vip'],
});

/** Directus on the contacts of the small sub-account. Its calls have a token, as the product's have a key. */
export const directus = crudScenario('directus', { directus: 'Directus' }, async (ground) => {
  await copyContacts(ground);
  const { env, scratch, resources } = ground;
  const token = randomBytes(24).toString('hex');
  const settings = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: env['DATABASE_URL'] ?? '',
    DB_SEARCH_PATH: `array:${SCHEMA}`,
    DB_POOL__MAX: CONNECTIONS,
    SECRET: token,
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: token,
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    TELEMETRY: 'false',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
  };
  await promisify(execFile)(process.execPath, [PROGRAM, 'bootstrap'], {
    env: { ...process.env, ...settings },
    cwd: scratch,
  });
  const server = await startServerProcess({
    command: () => [process.execPath, PROGRAM, 'start'],
    env: settings,
    logFile: join(scratch, 'directus.log'),
    resources,
    health: '/server/ping',
  });
  const authorization = `authorization: Bearer ${token}`;
  const items = '/items/contacts';
  return {
    server,
    get: (id) => requestText(`GET ${items}/${id}`, [authorization]),
    list: requestText(`GET ${items}?limit=50&sort=-id&meta=filter_count`, [authorization]),
    create: requestText(`POST ${items}`, [authorization], NEW_CONTACT),
  } satisfies Peer;
});

/** Gives Directus a table with the same rows, which is removed at the end. */
async function copyContacts({ sql, small, resources }: Ground): Promise<void> {
  await sql.query(`drop schema if exists ${SCHEMA} cascade`);
  await sql.query(`create schema ${SCHEMA}`);
  resources.defer(async () => void (await sql.query(`drop schema ${SCHEMA} cascade`)));
  const columns = `id, first_name, last_name, email, phone, company, to_jsonb(tags) as tags,
    source, lifecycle_stage, created_at, updated_at`;
  const ofSmall = `select ${columns} from contacts where sub_account_id = $1 and deleted_at is null`;
  await sql.query(
    `create table ${SCHEMA}.contacts as select ${columns} from contacts with no data`,
  );
  await sql.query(`insert into ${SCHEMA}.contacts ${ofSmall}`, [small.id]);
  await sql.query(
    `alter table ${SCHEMA}.contacts alter column id set default gen_random_uuid(), add primary key (id)`,
  );
  await sql.query(`vacuum (analyze) ${SCHEMA}.contacts`);
}
