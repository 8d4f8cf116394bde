import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, rowsOn } from '#platform/database/database.ts';
import { lazyTransaction } from '#platform/database/transaction.ts';
import { always } from '../../support/calendars.ts';
import { createDatabase } from '../../support/database.ts';
import { frontdesk, newKey, startFrontdesk, type Variables } from '../../support/frontdesk.ts';
import { SINK_AUTHORITY, startSink } from '../../support/https-sink.ts';
import { startPgBouncer, type PgBouncer } from '../../support/pgbouncer.ts';

const PATIENT = { timeout: 60_000, interval: 50 };
const DAY_MS = 86_400_000;
const CHANGES_WHILE_AWAY = 40;

const CALENDAR = {
  key: 'checkup',
  name: 'Check-ups',
  timezone: 'UTC',
  hours: always(),
  types: [{ key: 'checkup', name: 'Check-up', duration: 30 }],
};

interface Behind {
  readonly bouncer: PgBouncer;
  readonly variables: Variables;
  readonly subAccountId: string;
  readonly keyId: string;
  run(...args: readonly string[]): Promise<any>;
  call(origin: string, line: string, body?: object): Promise<{ status: number; body: any }>;
}

/** A migrated database behind PgBouncer, and a sub-account with a key. */
async function startBehind(): Promise<Behind> {
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  const bouncer = await startPgBouncer(database.url);
  onTestFinished(() => bouncer.stop());
  const variables = {
    DATABASE_URL: bouncer.url,
    DATABASE_SESSION_URL: database.url,
    FRONTDESK_SECRET_KEY: newKey(),
    FRONTDESK_OUTBOUND_ALLOW: '127.0.0.0/8',
    FRONTDESK_RATE_READ: '1000000/1m',
    FRONTDESK_RATE_WRITE: '1000000/1m',
    NODE_EXTRA_CA_CERTS: SINK_AUTHORITY,
  };
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await frontdesk([...args, '--json', '--yes'], variables);
    expect([code, stderr]).toEqual([0, expect.anything()]);
    return JSON.parse(stdout);
  };
  await run('migrate');
  const { id: subAccountId } = await run('admin', 'sub-account', 'create', '--name', 'Harbour');
  const wanted = ['--sub-account', subAccountId, '--name', 'k', '--scopes', 'all'];
  const { id: keyId, key } = await run('admin', 'key', 'create', ...wanted);
  return {
    bouncer,
    variables,
    subAccountId,
    keyId,
    run,
    async call(origin, line, body) {
      const [method = '', path = ''] = line.split(' ');
      const answer = await fetch(origin + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
  };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-pgbouncer-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const serveBehind = async ({ variables }: Behind): Promise<string> =>
  (await startFrontdesk(['serve', '--port', '0'], variables)).said.url;

const ada = (n: number) => ({
  firstName: `Ada ${n}`,
  lastName: 'Lovelace',
  email: `ada.${n}@example.com`,
});

const MANY = Array.from({ length: 60 }, (_, n) => n);

describe('behind PgBouncer in transaction mode', () => {
  test('two servers and a worker work as they do without it', async () => {
    const behind = await startBehind();
    const { call, run } = behind;
    const [near, far] = await Promise.all([serveBehind(behind), serveBehind(behind)]);
    const worker = await startFrontdesk(['worker'], behind.variables);
    const sink = await startSink({ https: true });
    onTestFinished(() => sink.close());
    const hook = { url: `${sink.url}/hook`, events: ['contact.created'] };
    expect((await call(near, 'POST /api/v1/webhooks', hook)).status).toBe(201);

    // Together, so that some of them are committed by one statement.
    const made = await Promise.all(
      MANY.map((n) => call(n % 2 ? near : far, 'POST /api/v1/contacts', ada(n))),
    );
    expect(made.map(({ status }) => status)).toEqual(MANY.map(() => 201));
    const again = await call(far, 'POST /api/v1/contacts', ada(0));
    expect(again.body.error.details.reason).toBe('duplicate_email');
    const { body: list } = await call(near, 'GET /api/v1/contacts?limit=100');
    expect(list.meta.total).toBe(MANY.length);
    const ids = new Set(made.map(({ body }) => body.data.id));
    expect(new Set(list.data.map(({ id }: any) => id))).toEqual(ids);
    const [id] = ids;
    const { body: changed } = await call(near, `PATCH /api/v1/contacts/${id}`, { city: 'Kiel' });
    expect(changed.data.city).toBe('Kiel');
    expect((await call(far, `GET /api/v1/contacts/${id}`)).body).toEqual(changed);

    const posts = await sink.next(MANY.length);
    const received = posts.map(({ body }) => JSON.parse(body.toString()).data.contactId);
    expect(new Set(received)).toEqual(ids);

    const folder = await temporaryFolder();
    const backup = join(folder, 'frontdesk.backup');
    expect((await run('backup', backup)).rows.contacts).toBe(MANY.length);
    await run('backup', 'verify', backup);
    expect((await run('doctor')).checks).toContainEqual(
      expect.objectContaining({ name: 'database', status: 'warn' }),
    );
    // A rehearsal has tables of its session's own.
    const file = join(folder, 'contacts.csv');
    await writeFile(file, 'firstName,lastName\nGrace,Hopper\n');
    const whose = ['--sub-account', behind.subAccountId];
    const rehearsed = await run('admin', 'contact', 'import', file, ...whose, '--dry-run');
    expect(rehearsed.created).toBe(1);
    expect((await call(far, 'GET /api/v1/contacts')).body.meta.total).toBe(MANY.length);

    await run('admin', 'key', 'revoke', behind.keyId);
    await vi.waitFor(async () => {
      const answers = [
        await call(near, 'GET /api/v1/contacts'),
        await call(far, 'GET /api/v1/contacts'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    }, PATIENT);
    expect(await worker.end()).toBe(0);
  });

  test('one of many simultaneous bookings of a slot succeeds, across servers', async () => {
    const behind = await startBehind();
    const { call, run, subAccountId } = behind;
    const origins = await Promise.all([serveBehind(behind), serveBehind(behind)]);
    const file = join(await temporaryFolder(), 'calendar.json');
    await writeFile(file, JSON.stringify({ calendars: [CALENDAR] }));
    const { ids } = await run('admin', 'apply', '-f', file, '--sub-account', subAccountId);
    const startTime = Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS;
    const book = (n: number) =>
      call(origins[n % 2] ?? '', 'POST /api/v1/calendars/appointments', {
        appointmentTypeId: ids.appointmentTypes.checkup,
        startTime,
        endTime: startTime + 1_800_000,
        ...ada(n),
      });
    const answers = await Promise.all(MANY.map(book));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([201, 400]));
  });

  test('during its restart changes are rejected with 503, none is lost, and they work again afterwards', async () => {
    const behind = await startBehind();
    const { bouncer, call } = behind;
    const origin = await serveBehind(behind);
    const statuses: number[] = [];
    const committed = new Set<string>();
    const over = new AbortController();
    const writer = async (number: number) => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const { status, body } = await call(
          origin,
          'POST /api/v1/contacts',
          ada(number * 10_000 + n),
        );
        statuses.push(status);
        if (status === 201) {
          committed.add(body.data.id);
        }
        await sleep(status === 503 ? 20 : 0);
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map(writer));
    for (let round = 0; round < 2; round += 1) {
      const before = committed.size;
      await vi.waitFor(
        () => expect(committed.size).toBeGreaterThan(before + CHANGES_WHILE_AWAY),
        PATIENT,
      );
      await bouncer.restart(500);
    }
    const before = committed.size;
    await vi.waitFor(
      () => expect(committed.size).toBeGreaterThan(before + CHANGES_WHILE_AWAY),
      PATIENT,
    );
    over.abort();
    await writing;
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    const { body } = await call(origin, 'GET /api/v1/contacts?limit=1');
    // What was cut off before its answer may have been committed.
    expect(body.meta.total).toBeGreaterThanOrEqual(committed.size);
    for (const id of [...committed].slice(-CHANGES_WHILE_AWAY)) {
      expect((await call(origin, `GET /api/v1/contacts/${id}`)).status).toBe(200);
    }
  });

  test('a transaction has its timeouts, and does not leak them to the next one', async () => {
    const own = await createDatabase();
    onTestFinished(() => own.drop());
    const bouncer = await startPgBouncer(own.url, { default_pool_size: '1' });
    onTestFinished(() => bouncer.stop());
    const database = openDatabase({
      url: bouncer.url,
      sessionUrl: own.url,
      connections: 2,
      name: 'test',
      log: pino({ level: 'silent' }),
    });
    onTestFinished(() => database.close());
    const limits = `select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock`;
    const transaction = lazyTransaction(database);
    expect(await rowsOn(await transaction.client(), limits)).toEqual([
      { statement: '30s', lock: '0' },
    ]);
    await transaction.commit();
    expect(await database.together((on) => rowsOn(on, limits))).toEqual([
      { statement: '0', lock: '100ms' },
    ]);
    await expect(database.together((on) => rowsOn(on, 'select 1 / 0'))).rejects.toThrow('zero');
    expect(await database.rows(limits)).toEqual([{ statement: '0', lock: '0' }]);
  });
});
