import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { recordAttempts } from '../../../src/webhooks/deliveries/record-attempts.ts';
import { startDelivering } from '../../support/deliveries.ts';
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
      pausedUntil: null,
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
