import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDatabase } from './database.ts';
import {
  FRONTDESK,
  frontdesk,
  type Environment,
  startServerProcess,
  type ServerProcess,
} from './processes.ts';
import { loadContacts, withoutIndexes } from './load-contacts.ts';

/** Connections to PostgreSQL of the bare server, the same as `serve`. */
const CONNECTIONS = 16;
const SMALL_ACCOUNTS = 10;
/** High enough that requests are counted and never refused. */
const RATE = '900000000/1h';

export interface Sizing {
  /** Contacts in the large sub-account, and in the ten small ones together. */
  readonly rows: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly minuteSeconds: number;
}

/** The environment of a scenario: a loaded database with the bare server and the product. */
export interface Ground {
  readonly sizing: Sizing;
  readonly sql: Client;
  readonly env: Environment;
  readonly bare: ServerProcess;
  readonly product: ServerProcess;
  readonly productLog: string;
  readonly small: SubAccount;
  /** Of the same size; for scenarios that write. */
  readonly spare: SubAccount;
  readonly large: SubAccount;
  /** A folder for files; removed at the end. */
  readonly scratch: string;
  readonly resources: AsyncDisposableStack;
  /** Another `serve`. */
  startProduct(): Promise<ServerProcess>;
}

interface GroundInput {
  readonly sizing: Sizing;
  readonly scratch: string;
  /** The folder in which the loaded database is kept for the next run, if any. */
  readonly keepIn: string | undefined;
  readonly resources: AsyncDisposableStack;
  readonly say: (line: string) => void;
}

export async function prepareGround(wanted: GroundInput): Promise<Ground> {
  const { sizing, scratch, keepIn, resources, say } = wanted;
  const databaseUrl = await openDatabase(keepIn ?? join(scratch, 'data'), resources);
  const sql = new Client({ connectionString: databaseUrl });
  sql.on('error', () => undefined);
  await sql.connect();
  resources.defer(() => sql.end());

  const kept = await keptGround(sql, sizing.rows);
  const secretKey = kept?.secretKey ?? randomBytes(32).toString('base64');
  const env = {
    DATABASE_URL: databaseUrl,
    FRONTDESK_SECRET_KEY: secretKey,
    FRONTDESK_RATE_READ: RATE,
    FRONTDESK_RATE_WRITE: RATE,
    FRONTDESK_RATE_PUBLIC: `chat_message=${RATE},sign_in=${RATE}`,
    FRONTDESK_RATE_STORE: 'postgres',
    FRONTDESK_LOG: 'json',
    FRONTDESK_LOG_LEVEL: 'info',
  };
  await frontdesk(env, 'migrate');
  const loaded = kept ?? (await load(sql, env, sizing.rows, say));

  const productLog = join(scratch, 'product.log');
  const startProduct = () =>
    startServerProcess({
      command: (port) => [FRONTDESK, 'serve', '--port', String(port)],
      env,
      logFile: productLog,
      resources,
    });
  const bare = await startServerProcess({
    command: (port) => [process.execPath, BARE_SERVER, String(port)],
    env: { DATABASE_URL: databaseUrl, CONNECTIONS: String(CONNECTIONS) },
    logFile: join(scratch, 'bare.log'),
    resources,
  });
  const product = await startProduct();
  const servers = { bare, product, productLog, startProduct };
  return { ...loaded, ...servers, sizing, sql, env, scratch, resources };
}

const BARE_SERVER = new URL('baselines/bare-server.ts', import.meta.url).pathname;

async function load(
  sql: Client,
  env: Environment,
  rows: number,
  say: (line: string) => void,
): Promise<Loaded> {
  say(`loading twice ${rows.toLocaleString('en')} contacts…`);
  const accounts: SubAccount[] = [];
  await withoutIndexes(sql, async () => {
    for (let n = 0; n <= SMALL_ACCOUNTS; n += 1) {
      const size = n === SMALL_ACCOUNTS ? rows : rows / SMALL_ACCOUNTS;
      const account = await openSubAccount(env, `Bench ${n}`);
      await loadContacts(sql, account.id, size);
      accounts.push(account);
    }
  });
  const [small, spare] = accounts as [SubAccount, SubAccount];
  const large = accounts[SMALL_ACCOUNTS] as SubAccount;
  const secretKey = env['FRONTDESK_SECRET_KEY'] ?? '';
  return fileGround(sql, { rows, secretKey, small, spare, large });
}

async function openSubAccount(env: Environment, name: string): Promise<SubAccount> {
  const { id } = await frontdesk(env, 'admin', 'sub-account', 'create', '--name', name);
  const options = ['--sub-account', id, '--name', name, '--scopes', 'all'];
  const { key } = await frontdesk(env, 'admin', 'key', 'create', ...options);
  return { id, authorization: `authorization: Bearer ${key}` };
}

/** A loaded sub-account, and the header line that opens it. */
export interface SubAccount {
  readonly id: string;
  readonly authorization: string;
}

interface Loaded {
  readonly rows: number;
  readonly secretKey: string;
  readonly small: SubAccount;
  readonly spare: SubAccount;
  readonly large: SubAccount;
}

/** Returns what an earlier run loaded into this database, if it has that size. */
async function keptGround(sql: Client, rows: number): Promise<Loaded | undefined> {
  const { rows: tables } = await sql.query(
    `select 1 from pg_tables where schemaname = 'public' and tablename = 'bench_ground'`,
  );
  if (tables.length === 0) {
    return undefined;
  }
  const { rows: found } = await sql.query<{ loaded: Loaded }>('select loaded from bench_ground');
  if (found[0]?.loaded.rows !== rows) {
    throw new Error('the folder holds a benchmark database of another size; name another folder');
  }
  return found[0].loaded;
}

/** Stores what was loaded, and the counters that the bare list reads. */
async function fileGround(sql: Client, loaded: Loaded): Promise<Loaded> {
  await sql.query('create table bench_totals (sub_account_id uuid primary key, total bigint)');
  await sql.query(
    'insert into bench_totals select sub_account_id, count(*) from contacts group by 1',
  );
  await sql.query('create table bench_ground (loaded jsonb)');
  await sql.query('insert into bench_ground values ($1)', [loaded]);
  await sql.query('vacuum (analyze) bench_totals');
  return loaded;
}
