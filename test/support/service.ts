import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { test as base } from 'vitest';
import { AGENCY, newId } from '#lib/id.ts';
import { SCOPES, type Scope } from '#core/scope.ts';
import type { Actor, Work } from '#core/work.ts';
import { listen } from '#platform/process/listen.ts';
import { createKey } from '../../src/accounts/keys/create-key.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { openHttp, plainRoutes, type HttpSettings } from '../../src/commands/server/http-server.ts';
import { openService, type Service } from '../../src/commands/server/open-service.ts';
import { testClock, type TestClock } from './clock.ts';
import { createDatabase } from './database.ts';
import { testFiles } from './files.ts';
import { GENEROUS_RATES } from './server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

export interface CallOptions {
  /** A named key of the test, a literal key, or null for none. */
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The raw body, instead of `body`. */
  readonly raw?: string | Uint8Array;
}

/** Two sub-accounts of one agency that must never see each other's data. */
interface Cast {
  readonly subAccountId: string;
  readonly otherSubAccountId: string;
  readonly keys: Readonly<Record<'full' | 'reader' | 'other' | 'agency', string>>;
}

export interface TestService extends Service, Cast {
  readonly url: string;
  readonly databaseUrl: string;
  readonly clock: TestClock;
  call(line: string, options?: CallOptions): Promise<Answer>;
  /** Runs a use case as the operator in the terminal. */
  readonly actor: Actor;
  /** Waits until the server was notified of changes by SQL. */
  noticed(): Promise<void>;
  /** Returns and discards the events of the sub-account since the last call, oldest first. */
  events(): Promise<{ name: string; contactId: string | null; data: any }[]>;
  eventNames(): Promise<string[]>;
}

const GRACE_MS = 1_000;

interface Running extends Service {
  readonly url: string;
  readonly databaseUrl: string;
  readonly clock: TestClock;
}

/** Starts a server on a new database; a test file shares it, each test has its own sub-accounts. */
async function startService(
  settings: Partial<HttpSettings> = {},
): Promise<Running & { stop(): Promise<void> }> {
  const database = await createDatabase();
  const clock = testClock();
  const service = openService({
    databaseUrl: database.url,
    secretKey: randomBytes(32),
    connections: 10,
    name: 'frontdesk test',
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    clock,
    stays: true,
    files: testFiles(),
  });
  const http = openHttp(
    service,
    {
      ...GENEROUS_RATES,
      rateStore: 'memory',
      baseUrl: () => listener.url,
      ...settings,
    },
    plainRoutes(service.database, () => listener.url),
  );
  const listener = await listen(http.fetch, { host: '127.0.0.1', port: 0 });
  return {
    ...service,
    clock,
    url: listener.url,
    databaseUrl: database.url,
    async stop() {
      http.endStreams();
      await listener.close(GRACE_MS);
      await http.close();
      await service.close();
      await database.drop();
    },
  };
}

export const OPERATOR: Actor = {
  kind: 'cli',
  name: 'operator',
  requestId: 'test',
  operation: 'test',
};

/** Creates two sub-accounts with keys, so that tests of one file do not affect each other. */
async function castOf({ transact }: Service): Promise<Cast> {
  const issue = async (work: Work, scopes: readonly Scope[]) =>
    (await createKey(work, { name: 'test', scopes })).key;
  const found = (subAccountId: string, name: string, keys: readonly (readonly Scope[])[]) =>
    transact(subAccountId, OPERATOR, async (work) => {
      await createSubAccount(work, { name });
      const issued: string[] = [];
      for (const scopes of keys) {
        issued.push(await issue(work, scopes));
      }
      return issued;
    });
  const [subAccountId, otherSubAccountId] = [newId(new Date()), newId(new Date())];
  // One after the other, because lists show the newest sub-account first.
  const [other = ''] = await found(otherSubAccountId, 'Elsewhere', [SCOPES]);
  const [[full = '', reader = ''], agency] = await Promise.all([
    found(subAccountId, 'Harbour Dental', [SCOPES, READ_SCOPES]),
    transact(AGENCY, OPERATOR, (work) => issue(work, SCOPES)),
  ]);
  return { subAccountId, otherSubAccountId, keys: { full, reader, other, agency } };
}

const READ_SCOPES = SCOPES.filter((name) => name.endsWith(':read'));

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true;

export function caller(url: string, keys: Readonly<Record<string, string>>) {
  return async (line: string, options: CallOptions = {}): Promise<Answer> => {
    const { key = 'full', body, raw, headers } = options;
    const [method = 'GET', path = '/'] = line.split(' ');
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...(key !== null && { authorization: `Bearer ${keys[key] ?? key}` }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    });
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    // A stream does not end by itself.
    await (isStream ? response.body?.cancel() : undefined);
    const text = isStream ? '' : await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: isJson(response) && text ? JSON.parse(text) : text,
    };
  };
}

/** From the outbox and from published events. */
const FIRED = `select id, name, contact_id as "contactId", data
  from (
    select sub_account_id, id, name, contact_id, data from outbox
    union all select sub_account_id, id, name, contact_id, data from events
  ) as fired
  where sub_account_id = $1 and id > $2 order by id`;

/**
 * Waits until the server was notified of everything that is committed: notifications arrive in
 * order, so a new one follows all earlier ones. A change by another process may take a
 * moment.
 */
async function noticed({ changes, database }: Service): Promise<void> {
  if (changes.isListening) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const name = crypto.randomUUID();
    changes.watch(name, resolve);
    await database.rows('select pg_notify($1, $2)', ['frontdesk_changes', name]);
    await promise;
  }
}

async function testService(running: Running): Promise<TestService> {
  const cast = await castOf(running);
  let seen = AGENCY;
  const events = async () => {
    const rows = await running.database.rows<{
      id: string;
      name: string;
      contactId: string;
      data: any;
    }>(FIRED, [cast.subAccountId, seen]);
    seen = rows.at(-1)?.id ?? seen;
    return rows.map(({ name, contactId, data }) => ({ name, contactId, data }));
  };
  return {
    ...running,
    ...cast,
    transact: async (...change) => {
      const outcome = await running.transact(...change);
      await noticed(running);
      return outcome;
    },
    noticed: () => noticed(running),
    actor: OPERATOR,
    call: caller(running.url, cast.keys),
    events,
    eventNames: async () => (await events()).map(({ name }) => name),
  };
}

/**
 * `test` with a service: sub-accounts are new per test, the server is shared by the file. `shared`
 * has the same sub-accounts for the whole file, for tests without side effects.
 */
export const test = base.extend<{ service: TestService; shared: TestService; running: Running }>({
  running: [
    async ({}, use) => {
      const { stop, ...running } = await startService();
      await use(running);
      await stop();
    },
    { scope: 'file' },
  ],
  service: async ({ running }, use) => {
    await use(await testService(running));
  },
  shared: [
    async ({ running }, use) => {
      await use(await testService(running));
    },
    { scope: 'file' },
  ],
});
export { describe, expect } from 'vitest';
