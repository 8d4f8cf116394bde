import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import { onTestFinished, vi } from 'vitest';
import { newId } from '#lib/id.ts';
import { SCOPES } from '#core/scope.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { openService } from '../../src/commands/server/open-service.ts';
import { createClient, type Client, type EventName } from '../../sdk/src/main.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { frontdesk, newKey, type Ran, type Variables } from './frontdesk.ts';
import { SINK_AUTHORITY } from './https-sink.ts';
import { caller, OPERATOR, type Answer, type CallOptions } from './service.ts';
import { bindKey } from './bind-key.ts';
import { testFiles } from './files.ts';

/** Allows local receivers, with retries that no test waits for. */
const REACH: Variables = {
  NODE_EXTRA_CA_CERTS: SINK_AUTHORITY,
  FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8',
  FRONTDESK_WEBHOOK_RETRIES: '1h',
  FRONTDESK_LOG_LEVEL: 'error',
};

export interface Installation {
  readonly variables: Variables;
  readonly databaseUrl: string;
  readonly url: string;
  readonly subAccountId: string;
  /** With every scope. */
  readonly key: string;
  /** Calls the API with that key; failures are returned, not retried. */
  readonly client: Client;
  call(line: string, options?: CallOptions): Promise<Answer>;
  /** Runs `frontdesk admin …` without a terminal. */
  admin(line: string, ...more: readonly string[]): Promise<Ran & { readonly json: any }>;
  subscribe(url: string, events?: readonly EventName[]): Promise<string>;
  createContact(firstName?: string): Promise<string>;
  startWorker(...options: string[]): Promise<Following>;
  close(): Promise<void>;
}

/** Starts a server process and a sub-account for the tests of a file, on a new database by default. */
export async function startInstallation(
  more: Variables = {},
  existing?: TestDatabase,
): Promise<Installation> {
  const database = existing ?? (await createDatabase());
  const variables = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: newKey(),
    ...REACH,
    ...more,
  };
  await bindKey(variables);
  const { subAccountId, key } = await newSubAccount(variables);
  const admin: Installation['admin'] = async (line, ...more) => {
    const ran = await frontdesk(['admin', ...line.split(' '), ...more, '--json'], variables);
    return { ...ran, json: ran.stdout ? JSON.parse(ran.stdout) : undefined };
  };
  const server = startFollowing(['serve', '--port', '0', '--json'], variables, 'file');
  const [{ url }] = await server.next(1);
  const client = createClient({ baseUrl: url, apiKey: key, maxTries: 1 });
  const running = [server];
  return {
    variables,
    databaseUrl: database.url,
    url,
    subAccountId,
    key,
    client,
    call: caller(url, { full: key }),
    admin,
    subscribe: async (to, events = ['contact.created']) =>
      (await client.webhooks.create({ url: to, events })).id,
    createContact: async (firstName = 'Ada') =>
      (await client.contacts.create({ firstName, lastName: 'Lovelace' })).id,
    async startWorker(...options) {
      const worker = startFollowing(['worker', '--json', ...options], variables, 'file');
      running.push(worker);
      await worker.next(1);
      return worker;
    },
    async close() {
      await Promise.all(running.map((process) => process.end()));
      await database.drop();
    },
  };
}

/** Creates a sub-account and a key with every scope, without starting a process. */
async function newSubAccount({ DATABASE_URL = '', FRONTDESK_SECRET_KEY = '' }: Variables) {
  const { transact, close } = openService({
    databaseUrl: DATABASE_URL,
    secretKey: Buffer.from(FRONTDESK_SECRET_KEY, 'base64'),
    connections: 1,
    name: 'frontdesk test',
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    stays: false,
    files: testFiles(),
  });
  const subAccountId = newId(new Date());
  const { key } = await transact(subAccountId, OPERATOR, async (work) => {
    await createSubAccount(work, { name: 'Harbour' });
    return createKey(work, { name: 'K', scopes: SCOPES });
  });
  await close();
  return { subAccountId, key };
}

export interface Following {
  /** The output so far: JSON values, or text. */
  readonly lines: any[];
  stdout(): string;
  stderr(): string;
  /** Waits for this number of lines. */
  next(count: number): Promise<any[]>;
  /** Waits for this text on standard error. */
  complaint(text: string): Promise<void>;
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Closes the pipe of its standard output. */
  leave(): void;
}

const WAIT = { timeout: 60_000, interval: 20 };

/** Starts a command that keeps printing lines; it is stopped after the file's tests. */
export function startFollowing(
  args: readonly string[],
  variables: Variables,
  lasts: 'test' | 'file' = 'test',
): Following {
  const { PATH, HOME } = process.env;
  const child = spawn('bin/frontdesk', args, { env: { PATH, HOME, ...variables } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = (once(child, 'exit') as Promise<[number | null, NodeJS.Signals]>).then(
    ([code, signal]) => code ?? signal,
  );
  if (lasts === 'test') {
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exited;
    });
  }
  const linesOf = () => stdout.split('\n').slice(0, -1);
  return {
    get lines() {
      return linesOf().map((line) => (line.startsWith('{') ? JSON.parse(line) : line));
    },
    stdout: () => stdout,
    stderr: () => stderr,
    async next(count) {
      await vi.waitFor(() => {
        if (linesOf().length < count) {
          throw new Error(`${linesOf().length} of ${count} lines: ${stdout}${stderr}`);
        }
      }, WAIT);
      return this.lines;
    },
    async complaint(text) {
      await vi.waitFor(() => {
        if (!stderr.includes(text)) {
          throw new Error(`standard error lacks ${text}: ${stderr}`);
        }
      }, WAIT);
    },
    exited,
    leave: () => void child.stdout.destroy(),
    async end(signal = 'SIGINT') {
      child.kill(signal);
      return exited;
    },
  };
}
