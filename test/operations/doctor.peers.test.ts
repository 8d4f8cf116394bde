import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Check, Examined } from '../../src/operations/doctor/check.ts';
import { externalCalendars } from '../../src/operations/doctor/peers/external-calendars.ts';
import { webhooks } from '../../src/operations/doctor/peers/webhooks.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const SUB = randomUUID();

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into sub_accounts (id, location_id, name, timezone, currency, locale, sandbox,
       created_at, updated_at)
     values ($1, 'l', 'Harbour', 'UTC', 'EUR', 'en', false, now(), now())`,
    [SUB],
  );
});
beforeEach(() => client.query('delete from webhook_subscriptions; delete from team_members'));
afterAll(async () => {
  await client.end();
  await database.drop();
});

const examine = (check: Check) =>
  check.examine({
    rows: async (text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows,
  } as unknown as Examined);

async function addMember(name: string, error?: string): Promise<void> {
  const id = randomUUID();
  await client.query(
    `insert into team_members (sub_account_id, id, key, name, external_calendar, created_at,
       updated_at)
     values ($1, $2, $3, $3, '{"type": "ics"}', now(), now())`,
    [SUB, id, name],
  );
  await client.query(
    `insert into external_busy (sub_account_id, member_id, failing_since, last_error)
     values ($1, $2, $3, $4)`,
    [SUB, id, error === undefined ? null : '2026-11-20T08:00:00Z', error ?? null],
  );
}

const addReceiver = (host: string, failures: number, since?: string, disabled = false) =>
  client.query(
    `insert into webhook_subscriptions (sub_account_id, id, url, events, status, disabled_reason,
       secret, position, consecutive_failures, failing_since, last_success_at,
       created_at, updated_at)
     values ($1, $2, $3, '{contact.created}', $4, $5, '', 0, $6, $7, now(), now(), now())`,
    [
      SUB,
      randomUUID(),
      `https://${host}/hook?token=secret`,
      disabled ? 'disabled' : 'active',
      disabled ? 'failing' : null,
      failures,
      since ?? null,
    ],
  );

describe('doctor', () => {
  test('names every external calendar that fails, with its error', async () => {
    await addMember('Anna', 'status 401');
    await addMember('Ben', 'the name does not resolve');
    await addMember('Cleo');
    const { status, message, fix } = await examine(externalCalendars);
    expect(status).toBe('warn');
    expect(message).toContain('2 of 3 cannot be read');
    expect(message).toContain('Anna (Harbour) since 2026-11-20T08:00:00.000Z: status 401');
    expect(message).toContain(
      'Ben (Harbour) since 2026-11-20T08:00:00.000Z: the name does not resolve',
    );
    expect(message).not.toContain('Cleo');
    expect(fix).toMatch(/^fix the address/);
  });

  test('counts external calendars in the singular and the plural', async () => {
    expect(await examine(externalCalendars)).toEqual({ status: 'ok', message: 'none in use' });
    await addMember('Anna');
    expect((await examine(externalCalendars)).message).toBe('1 calendar in use');
    await addMember('Ben');
    expect((await examine(externalCalendars)).message).toBe('2 calendars in use');
  });

  test('warns about receivers that failed 5 times in a row, for an hour, or were disabled', async () => {
    await addReceiver('fine.example', 4, '2999-01-01T00:00:00Z');
    expect(await examine(webhooks)).toEqual({ status: 'ok', message: '1 receiver' });
    await addReceiver('busy.example', 12, '2999-01-01T00:00:00Z');
    await addReceiver('old.example', 1, '2026-01-01T00:00:00Z');
    await addReceiver('off.example', 40, '2026-01-01T00:00:00Z', true);
    const { status, message } = await examine(webhooks);
    expect(status).toBe('warn');
    expect(message).toContain('3 of 4 receivers fail: ');
    expect(message).toContain('busy.example has 12 failures in a row');
    expect(message).toContain('old.example has 1 failure in a row');
    expect(message).toContain('off.example is disabled after 40 failures in a row');
    expect(message).not.toContain('secret');
  });
});
