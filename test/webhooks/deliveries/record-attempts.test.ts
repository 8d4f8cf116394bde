import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { purgeSubAccount } from '../../../src/backup/sub-account/purge-sub-account.ts';
import { recordAttempts } from '../../../src/webhooks/deliveries/record-attempts.ts';
import { startDelivering, WAIT } from '../../support/deliveries.ts';
import { WAITING_FOR_ME } from '../../support/locks.ts';
import { OPERATOR } from '../../support/service.ts';

const NOON = new Date('2026-11-01T12:00:00.000Z');

test('a manual success deletes the retry of a scheduled attempt that failed at the same time', async () => {
  const service = await startDelivering();
  const subAccountId = await service.subAccount();
  const subscriptionId = await service.subscribe(subAccountId, 'http://127.0.0.1:1/');
  const eventId = newId(NOON);
  const attempt = { eventId, name: 'contact.created', occurredAt: NOON, data: {}, attempt: 1 };
  const outcome = { at: NOON, responseBody: null, durationMs: 5, retryAfterMs: undefined };
  const failed = { succeeded: false, responseStatus: 500, error: 'status 500' };
  const succeeded = { succeeded: true, responseStatus: 200, error: null };
  await service.transact(subAccountId, OPERATOR, async (work) =>
    recordAttempts(work, {
      subscriptionId,
      pauseMs: null,
      position: 1,
      steps: [5_000, 300_000],
      results: [
        { ...outcome, ...failed, id: newId(NOON), attempt: { ...attempt, trigger: 'scheduled' } },
        { ...outcome, ...succeeded, id: newId(NOON), attempt: { ...attempt, trigger: 'manual' } },
      ] as never,
    }),
  );
  const rows = await service.attempts(subscriptionId);
  const outcomes = rows.map(({ trigger, status }) => `${trigger} ${status}`);
  expect(new Set(outcomes)).toEqual(new Set(['manual succeeded', 'scheduled failed']));
  expect(outcomes).toHaveLength(2);
});

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** The statements that record one successful attempt. */
function statementsFor(subAccountId: string, subscriptionId: string): Statement[] {
  const statements: Statement[] = [];
  const work = {
    subAccountId,
    write: (text: string, values: unknown[]) => statements.push({ text, values }),
  } as unknown as Work;
  const attempt = {
    eventId: newId(NOON),
    name: 'contact.created',
    attempt: 1,
    trigger: 'scheduled',
  };
  const success = { succeeded: true, responseStatus: 200, responseBody: null, durationMs: 5 };
  const results = [{ ...success, id: newId(NOON), at: NOON, attempt }] as never;
  recordAttempts(work, { subscriptionId, pauseMs: null, position: 1, steps: [], results });
  return statements;
}

test('a purge waits for attempts that are being recorded and deletes them, too', async () => {
  const service = await startDelivering();
  const { database } = service;
  const subAccountId = await service.subAccount();
  const subscriptionId = await service.subscribe(subAccountId, 'http://127.0.0.1:1/');
  await database.rows('update sub_accounts set deleted_at = now() where id = $1', [subAccountId]);
  const recorder = new Client(service.databaseUrl);
  await recorder.connect();
  await recorder.query('begin');
  for (const { text, values } of statementsFor(subAccountId, subscriptionId)) {
    await recorder.query(text, values);
  }
  const purged = purgeSubAccount(service.databaseUrl, subAccountId, {
    text: 'select 1',
    values: [],
  });
  const waiting = async () => (await recorder.query(WAITING_FOR_ME)).rowCount;
  await vi.waitFor(async () => expect(await waiting()).toBe(1), WAIT);
  await recorder.query('commit');
  await recorder.end();
  await purged;
  expect(await service.attempts(subscriptionId)).toEqual([]);
});

test('an attempt of a subscription that was purged meanwhile is not recorded', async () => {
  const service = await startDelivering();
  const { database } = service;
  const subAccountId = await service.subAccount();
  const subscriptionId = await service.subscribe(subAccountId, 'http://127.0.0.1:1/');
  await database.rows('delete from webhook_subscriptions where id = $1', [subscriptionId]);
  for (const { text, values } of statementsFor(subAccountId, subscriptionId)) {
    await database.rows(text, values);
  }
  expect(await service.attempts(subscriptionId)).toEqual([]);
});
