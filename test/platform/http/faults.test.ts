import { onTestFinished } from 'vitest';
import { openServer } from '../../support/server.ts';
import {
  caller,
  describe,
  expect,
  test,
  type Answer,
  type TestService,
} from '../../support/service.ts';

const LIST = 'GET /api/v1/contacts';
const CREATE = 'POST /api/v1/contacts';
const ada = { firstName: 'Ada', lastName: 'Lovelace' };
const WAIT = { timeout: 60_000 };

/** Another server on the database of a service, by default with the same role. */
async function serverFor({ databaseUrl, keys }: TestService, as?: string) {
  const url = new URL(databaseUrl);
  if (as !== undefined) {
    url.username = as;
    url.password = as;
  }
  const server = await openServer({ databaseUrl: url.href });
  onTestFinished(() => server.stop());
  return caller(server.url, keys);
}

/** Returns a role with all rights on the tables and none on the server; it ends with the test. */
async function newRole({ database }: TestService): Promise<string> {
  const role = `r${crypto.randomUUID().replaceAll('-', '')}`;
  await database.rows(`create role ${role} login password '${role}'`);
  for (const what of ['all tables', 'all sequences', 'all functions']) {
    await database.rows(`grant all on ${what} in schema public to ${role}`);
  }
  onTestFinished(async () => {
    await database.rows(`drop owned by ${role}`);
    await database.rows(`drop role ${role}`);
  });
  return role;
}

function expectAway({ status, headers, body }: Answer): void {
  expect([status, body.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

const nameOf = ({ databaseUrl }: TestService): string => new URL(databaseUrl).pathname.slice(1);

describe('a database that cannot write makes the server return 503 and store nothing, until it can', () => {
  test('because its disk is full', async ({ service }) => {
    const call = await serverFor(service);
    await service.database.rows(`create function disk_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await service.database.rows(`create trigger disk_full before insert on contacts
      for each row execute function disk_full()`);
    expectAway(await call(CREATE, { body: ada }));
    expectAway(await call(CREATE, { body: ada, headers: { 'idempotency-key': 'a' } }));
    expect((await call(LIST)).body.meta.total).toBe(0);
    expect(await service.eventNames()).toEqual([]);
    await service.database.rows('drop trigger disk_full on contacts');
    expect((await call(CREATE, { body: ada, headers: { 'idempotency-key': 'a' } })).status).toBe(
      201,
    );
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('because it has no memory left for the locks of a statement', async ({ service }) => {
    const call = await serverFor(service);
    await service.database.rows(`create function no_memory() returns trigger language plpgsql as
      $$ begin raise exception 'out of shared memory' using errcode = '53200'; end $$`);
    await service.database.rows(`create trigger no_memory before insert on contacts
      for each row execute function no_memory()`);
    const answer = await call(CREATE, { body: ada });
    expectAway(answer);
    expect(answer.body.error.message).toBe('the database has no memory left for this request');
    await service.database.rows('drop trigger no_memory on contacts');
    expect((await call(CREATE, { body: ada })).status).toBe(201);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('because it is read-only, like a standby', async ({ service }) => {
    const name = nameOf(service);
    await service.database.rows(`alter database ${name} set default_transaction_read_only = on`);
    const call = await serverFor(service);
    expectAway(await call(CREATE, { body: ada }));
    expectAway(await call(CREATE, { body: ada, headers: { 'idempotency-key': 'b' } }));
    await service.database.rows(`alter database ${name} reset default_transaction_read_only`);
    await expect.poll(async () => (await call(CREATE, { body: ada })).status, WAIT).toBe(201);
    expect(await service.eventNames()).toEqual(['contact.created']);
  });

  test('because it has no connection left', async ({ service }) => {
    const role = await newRole(service);
    const call = await serverFor(service, role);
    await service.database.rows(`alter role ${role} connection limit 2`);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        call(n % 2 === 0 ? LIST : CREATE, { body: n % 2 ? ada : undefined }),
      ),
    );
    for (const answer of answers.filter(({ status }) => status >= 400)) {
      expectAway(answer);
    }
    await service.database.rows(`alter role ${role} connection limit -1`);
    await expect.poll(async () => (await call(LIST)).status, WAIT).toBe(200);
  });

  test('because it refuses the login', async ({ service }) => {
    const role = await newRole(service);
    const call = await serverFor(service, role);
    expect((await call(LIST)).status).toBe(200);
    await service.database.rows(`alter role ${role} nologin`);
    await service.database.rows(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
      [role],
    );
    await expect.poll(async () => (await call(LIST)).status, WAIT).toBe(503);
    await service.database.rows(`alter role ${role} login`);
    await expect.poll(async () => (await call(LIST)).status, WAIT).toBe(200);
  });
});
