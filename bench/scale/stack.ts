import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { startRedis } from '../../test/platform/rate-limit/redis-server.ts';
import { startPgBouncer } from '../../test/support/pgbouncer.ts';
import { startReplicatedPostgres } from '../../test/support/replicated-postgres.ts';
import { openDatabase, SETTINGS } from '../database.ts';
import {
  FRONTDESK,
  frontdesk,
  spawnWorker,
  type Environment,
  startServerProcess,
  type ServerProcess,
} from '../processes.ts';
import type { SubAccount } from '../ground.ts';
import { loadContacts } from '../load-contacts.ts';

const ACCOUNTS = 6;
const CONTACTS = 20_000;
const MORE = { max_connections: '200' };
/** High enough that requests are counted and never refused. */
const RATE = '900000000/1h';

export interface Parts {
  readonly pgbouncer: boolean;
  readonly redis: boolean;
  readonly replica: boolean;
}

interface WorkerProcess {
  readonly pid: number;
  kill(): void;
}

/** One database, its pooler and replica, and the processes started so far. */
export interface Stack {
  readonly sql: Client;
  readonly env: Environment;
  readonly resources: AsyncDisposableStack;
  /** The first one contains contacts. */
  readonly accounts: readonly SubAccount[];
  readonly servers: readonly ServerProcess[];
  readonly workers: readonly WorkerProcess[];
  startServer(): Promise<void>;
  startWorker(): Promise<void>;
}

export async function openStack(
  scratch: string,
  resources: AsyncDisposableStack,
  { pgbouncer, redis, replica }: Parts,
): Promise<Stack> {
  const { direct, ...lists } = replica
    ? await openReplicated(resources)
    : { direct: await openDatabase(join(scratch, 'data'), resources, MORE) };
  const stack = await openStackOn(direct, scratch, resources, {
    ...(pgbouncer && (await pooled(direct, resources))),
    ...(redis && (await counted(resources))),
    ...lists,
  });
  await loadContacts(stack.sql, stack.accounts[0]?.id ?? '', CONTACTS);
  await stack.sql.query('vacuum (analyze)');
  return stack;
}

/** Migrates a database and creates sub-accounts in it; no process runs yet. */
export async function openStackOn(
  direct: string,
  scratch: string,
  resources: AsyncDisposableStack,
  more: Environment = {},
): Promise<Stack> {
  const sql = new Client({ connectionString: direct });
  sql.on('error', () => undefined);
  await sql.connect();
  resources.defer(() => sql.end());
  const env: Environment = {
    DATABASE_URL: direct,
    FRONTDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    FRONTDESK_RATE_READ: RATE,
    FRONTDESK_RATE_WRITE: RATE,
    FRONTDESK_RATE_STORE: 'postgres',
    FRONTDESK_LOG: 'json',
    FRONTDESK_LOG_LEVEL: 'warn',
    FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8',
    ...more,
  };
  await frontdesk(env, 'migrate');
  const accounts = await openAccounts(env);
  const servers: ServerProcess[] = [];
  const workers: WorkerProcess[] = [];
  const logFile = join(scratch, 'processes.log');
  return {
    sql,
    env,
    resources,
    accounts,
    servers,
    workers,
    async startServer() {
      const command = (port: number) => [FRONTDESK, 'serve', '--port', String(port)];
      servers.push(await startServerProcess({ command, env, logFile, resources }));
    },
    async startWorker() {
      workers.push(await startWorkerProcess(env, logFile, resources));
    },
  };
}

async function openReplicated(
  resources: AsyncDisposableStack,
): Promise<{ readonly direct: string; readonly DATABASE_REPLICA_URL: string }> {
  const postgres = await startReplicatedPostgres({ ...SETTINGS, ...MORE });
  resources.defer(() => postgres.stop());
  return { direct: postgres.primary.url, DATABASE_REPLICA_URL: postgres.replica.url };
}

async function pooled(direct: string, resources: AsyncDisposableStack): Promise<Environment> {
  const bouncer = await startPgBouncer(direct, { default_pool_size: '20' });
  resources.defer(() => bouncer.stop());
  return { DATABASE_URL: bouncer.url, DATABASE_SESSION_URL: direct };
}

async function counted(resources: AsyncDisposableStack): Promise<Environment> {
  const redis = await startRedis();
  resources.defer(() => redis.stop());
  return { FRONTDESK_RATE_STORE: redis.url };
}

async function openAccounts(env: Environment): Promise<SubAccount[]> {
  const accounts: SubAccount[] = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { id } = await frontdesk(env, 'admin', 'sub-account', 'create', '--name', `Scale ${n}`);
    accounts.push({ id, authorization: `authorization: Bearer ${(await newKey(env, id)).key}` });
  }
  return accounts;
}

export const newKey = (
  env: Environment,
  subAccountId: string,
  ...more: readonly string[]
): Promise<{ readonly id: string; readonly key: string }> => {
  const options = ['--sub-account', subAccountId, '--name', 'scale', '--scopes', 'all'];
  return frontdesk(env, 'admin', 'key', 'create', ...options, ...more);
};

async function startWorkerProcess(
  env: Environment,
  logFile: string,
  resources: AsyncDisposableStack,
): Promise<WorkerProcess> {
  const child = await spawnWorker(['--json'], { env, logFile, resources });
  return { pid: child.pid ?? 0, kill: () => void child.kill('SIGKILL') };
}
