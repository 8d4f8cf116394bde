import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/start-embedded-postgres.ts';
import {
  FRONTDESK,
  frontdesk,
  startServerProcess,
  startWorkerProcess,
  type Environment,
} from '../processes.ts';
import { foundHousehold, type Household } from './household.ts';

/** High enough that requests are counted and never refused. */
const RATE = '900000000/1h';
const PUBLIC = [
  'chat_session',
  'chat_message',
  'chat_activity',
  'chat_file',
  'form',
  'booking',
  'workflow',
];

/** One condition of a load test. */
export interface Verdict {
  readonly what: string;
  readonly figure: string;
  readonly isKept: boolean;
}

/** Returns one line per verdict. */
export const linesOf = (verdicts: readonly Verdict[]): string =>
  verdicts
    .map(({ what, figure, isKept }) => `${isKept ? 'pass' : 'MISS'}  ${what}: ${figure}\n`)
    .join('');

/**
 * Runs a load test until it ends or the process is interrupted, and disposes its resources. Returns
 * the exit code: 0 if every verdict is kept.
 */
export async function runLoadTest(
  say: (line: string) => void,
  test: (resources: AsyncDisposableStack) => Promise<readonly Verdict[]>,
): Promise<0 | 1> {
  const resources = new AsyncDisposableStack();
  try {
    const verdicts = await Promise.race([test(resources), interruption()]);
    return verdicts.every(({ isKept }) => isKept) ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    await resources.disposeAsync();
  }
}

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error(`ended by ${signal}`)));
    }
  });
}

/** A new installation with a practice, on its own PostgreSQL. */
export interface TestInstallation {
  readonly env: Environment;
  readonly scratch: string;
  readonly household: Household;
  readonly resources: AsyncDisposableStack;
  connect(): Promise<Client>;
}

export async function openInstallation(
  name: string,
  resources: AsyncDisposableStack,
): Promise<TestInstallation> {
  const scratch = mkdtempSync(join(tmpdir(), `frontdesk-${name}-`));
  resources.defer(() => rm(scratch, { recursive: true, force: true }));
  const database = await startEmbeddedPostgres({ dataDir: join(scratch, 'data') });
  resources.defer(() => database.stop());
  const env = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    FRONTDESK_RATE_READ: RATE,
    FRONTDESK_RATE_WRITE: RATE,
    FRONTDESK_RATE_PUBLIC: PUBLIC.map((limit) => `${limit}=${RATE}`).join(','),
    FRONTDESK_FILES_DIR: join(scratch, 'files'),
    FRONTDESK_LOG: 'json',
    FRONTDESK_LOG_LEVEL: 'warn',
  };
  await frontdesk(env, 'migrate');
  return {
    env,
    scratch,
    resources,
    household: await foundHousehold(env, scratch),
    async connect() {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      resources.defer(() => client.end());
      return client;
    },
  };
}

/** Starts a server and a worker. */
export async function startProcesses(
  { env, scratch, resources }: TestInstallation,
  sql: Client,
): Promise<{ readonly url: string; readonly servePid: number; readonly workerPid: number }> {
  const logFile = serverLog({ scratch });
  const command = (port: number) => [FRONTDESK, 'serve', '--port', String(port)];
  const { url, pid } = await startServerProcess({ command, env, logFile, resources });
  return {
    url,
    servePid: pid,
    workerPid: await startWorkerProcess({ env, sql, scratch, resources }),
  };
}

export const serverLog = ({ scratch }: Pick<TestInstallation, 'scratch'>): string =>
  join(scratch, 'serve.log');
