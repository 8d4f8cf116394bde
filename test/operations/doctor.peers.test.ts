import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Check, Examined } from '../../src/operations/doctor/check.ts';
import { externalCalendars } from '../../src/operations/doctor/peers/external-calendars.ts';
import { messages } from '../../src/operations/doctor/peers/messages.ts';
import { MOVED_WITHOUT_SECRET } from '#core/secrets.ts';
import { newId } from '#lib/id.ts';
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
    expect(message).toContain('off.example is disabled: failing (40 failures in a row');
    expect(message).not.toContain('secret');
    expect(message).not.toContain('(webhook ');
    await addReceiver('busy.example', 13, '2999-01-01T00:00:00Z');
    expect((await examine(webhooks)).message).toMatch(
      /busy\.example \(webhook [-0-9a-f]{36}\) has 13 failures in a row/,
    );
  });

  test('a receiver that was moved without its secret first needs a new one', async () => {
    await addReceiver('moved.example', 0, undefined, true);
    await client.query('update webhook_subscriptions set disabled_reason = $1', [
      MOVED_WITHOUT_SECRET,
    ]);
    expect((await examine(webhooks)).fix).toMatch(
      /secret regenerate webhook ID; enable a receiver .* webhook enable ID/,
    );
  });
});

/** Adds an outbound message that failed by default. Returns its id. */
async function addMessage(over: object = {}): Promise<string> {
  const at = new Date();
  const row = {
    subAccountId: SUB,
    id: newId(at),
    channel: 'email',
    direction: 'outbound',
    status: 'failed',
    errorCode: '535',
    errorMessage: 'Invalid login of desk@harbour.example: 535 Authentication failed',
    resendOf: null,
    ...over,
  };
  await client.query(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, status,
       error_code, error_message, resend_of, created_at)
     values ($1, $2, $1, $3, $4, $5, $6, $7, $8, now())`,
    Object.values(row),
  );
  return row.id;
}

describe('doctor warns of failed messages', () => {
  beforeAll(async () => {
    await client.query(
      `insert into contacts (sub_account_id, id, first_name, last_name, lifecycle_stage,
         created_at, updated_at)
       values ($1, $1, 'Ada', 'L', 'lead', now(), now())`,
      [SUB],
    );
    await client.query(
      `insert into conversations (sub_account_id, id, contact_id, channel, status, created_at,
         updated_at)
       values ($1, $1, $1, 'email', 'open', now(), now())`,
      [SUB],
    );
  });
  beforeEach(() => client.query('delete from messages'));

  test('with their number, channels, most frequent error and what to do', async () => {
    expect(await examine(messages)).toEqual({
      status: 'ok',
      message: 'no message of the last 24 hours failed',
    });
    await addMessage();
    await addMessage({ channel: 'sms', errorCode: '21211', errorMessage: 'Invalid number' });
    await addMessage();
    expect(await examine(messages)).toEqual({
      status: 'warn',
      message:
        '3 messages of the last 24 hours failed (email, sms); most often 535 (2): Invalid login of …@…: 535 Authentication failed',
      fix: `list them: frontdesk admin message list --failed --sub-account ${SUB}; repair the cause, then send each again: frontdesk admin message resend ID`,
    });
  });

  test('but not of older ones, others, and those that were sent again', async () => {
    await addMessage({ id: newId(new Date(Date.now() - 25 * 3_600_000)) });
    await addMessage({ status: 'sent', errorCode: null, errorMessage: null });
    await addMessage({ errorCode: 'dnd' });
    const resendOf = await addMessage();
    await addMessage({ status: 'sent', resendOf });
    expect((await examine(messages)).status).toBe('ok');
  });

  test('by an index on the ids of the last day', async () => {
    await client.query(`insert into messages (sub_account_id, id, conversation_id, channel,
        direction, status, created_at)
      select '${SUB}', ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${SUB}', 'email',
        'outbound', 'failed', now() from generate_series(1, 50000) as n`);
    await client.query('analyze messages');
    const plans: string[] = [];
    await messages.examine({
      rows: async (text: string, values: readonly unknown[] = []) => {
        const { rows } = await client.query(`explain ${text}`, [...values]);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return [];
      },
    } as unknown as Examined);
    expect(plans.join('\n')).toContain('messages_pkey');
    expect(plans.join('\n')).not.toMatch(/Seq Scan on messages/);
  });
});
