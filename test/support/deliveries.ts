import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, vi } from 'vitest';
import { newId } from '#lib/id.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { openService, type Service } from '../../src/commands/server/open-service.ts';
import { startJobs } from '../../src/commands/server/start-jobs.ts';
import { createContact } from '../../src/contacts/create-contact.ts';
import { secretPlace } from '../../src/webhooks/subscriptions/subscription.store.ts';
import { createDatabase } from './database.ts';
import { OPERATOR } from './service.ts';
import { testFiles } from './files.ts';

export const SECRET = 'whsec_0123456789abcdefghijABCDEFGHIJKL';

export interface LogRow {
  readonly id: string;
  readonly eventId: string;
  readonly event: string;
  readonly attempt: number;
  readonly trigger: string;
  readonly status: string;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
}

/** A service with a worker and local receivers. */
export interface Delivering extends Service {
  readonly databaseUrl: string;
  subAccount(): Promise<string>;
  /** Creates a subscription like the API, except that its receiver may use plain http. */
  subscribe(subAccountId: string, url: string, events?: readonly string[]): Promise<string>;
  /** Creates this number of contacts in separate changes; returns their first names in order. */
  createContacts(subAccountId: string, count: number): Promise<string[]>;
  attempts(subscriptionId: string): Promise<LogRow[]>;
  subscription(id: string): Promise<any>;
  startWorker(): Promise<{ stop(): Promise<void> }>;
}

export async function startDelivering(
  variables: Readonly<Record<string, string>> = {},
  clock = () => new Date(),
): Promise<Delivering> {
  const testDatabase = await createDatabase();
  const environment = {
    ...readEnvironment({
      FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8',
      FRONTDESK_POLL_INTERVAL: '200ms',
      FRONTDESK_FILES_DIR: testFiles().filesDir,
      ...variables,
    }),
    databaseUrl: testDatabase.url,
  };
  const service = openService({
    databaseUrl: testDatabase.url,
    secretKey: environment.secretKey ?? randomBytes(32),
    connections: 10,
    name: 'frontdesk test',
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    clock,
    stays: false,
    network: environment,
    files: environment,
  });
  const workers: { stop(): Promise<void> }[] = [];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await service.close();
    await testDatabase.drop();
  });
  return {
    ...service,
    ...recordsOf(service),
    databaseUrl: testDatabase.url,
    async startWorker() {
      const worker = await startParts((lifecycle) => startJobs(service, environment, 4, lifecycle));
      workers.push(worker);
      return worker;
    },
  };
}

/** Starts the parts of a process, and stops them in the same order. */
async function startParts(start: (lifecycle: any) => Promise<unknown>) {
  const parts: ((hurry: AbortSignal) => Promise<unknown>)[] = [];
  await start({
    onStop: (_: string, stop: (typeof parts)[number]) => void parts.unshift(stop),
    end: (_: number, why: string) => {
      throw new Error(why);
    },
  });
  return {
    async stop() {
      for (const stop of parts.splice(0)) {
        await stop(new AbortController().signal);
      }
    },
  };
}

function recordsOf({ transact, database, secrets }: Service) {
  return {
    async subAccount() {
      const id = newId(new Date());
      await transact(id, OPERATOR, (work) => createSubAccount(work, { name: 'Harbour Dental' }));
      return id;
    },
    async subscribe(subAccountId: string, url: string, events = ['contact.created']) {
      const id = newId(new Date());
      await database.rows(
        `insert into webhook_subscriptions
           (sub_account_id, id, url, events, status, secret, position, created_at, updated_at)
         values ($1, $2, $3, $4, 'active', $5, 0, now(), now())`,
        [subAccountId, id, url, events, secrets.seal(SECRET, secretPlace(id))],
      );
      return id;
    },
    async createContacts(subAccountId: string, count: number) {
      const names = Array.from({ length: count }, (_, n) => `Guest ${n + 1}`);
      for (const firstName of names) {
        await transact(subAccountId, OPERATOR, (work) =>
          createContact(work, { firstName, lastName: 'Lovelace' }),
        );
      }
      return names;
    },
    attempts: (subscriptionId: string) =>
      database.rows<LogRow>(
        `select id, event_id as "eventId", event, attempt, trigger, status,
           response_status as "responseStatus", response_body as "responseBody", error,
           created_at as "createdAt", next_attempt_at as "nextAttemptAt"
         from webhook_deliveries where subscription_id = $1 order by attempt, created_at, id`,
        [subscriptionId],
      ),
    async subscription(id: string) {
      const [row] = await database.rows<any>('select * from webhook_subscriptions where id = $1', [
        id,
      ]);
      return row;
    },
  };
}

export const WAIT = { timeout: 60_000, interval: 20 };

/** Waits for this number of attempts with none pending, and returns them. */
export async function settled(
  { attempts }: Delivering,
  id: string,
  rows: number,
): Promise<LogRow[]> {
  await vi.waitFor(async () => {
    const found = await attempts(id);
    expect(found.map(({ status }) => status)).not.toContain('pending');
    expect(found).toHaveLength(rows);
  }, WAIT);
  return attempts(id);
}
