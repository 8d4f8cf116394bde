import { expect, test, vi } from 'vitest';
import { settled, startDelivering, WAIT } from '../../support/deliveries.ts';
import { SHARE, useConnections } from '../../support/used-connections.ts';

const UNTOUCHED = { consecutive_failures: 0, failing_since: null, last_delivery_at: null };
const DUE = { attempt: 1, status: 'pending', error: null, nextAttemptAt: expect.any(Date) };

test('a delivery that finds no connection is no attempt: it stays due, and nothing has failed', async () => {
  const delivering = await startDelivering({ FRONTDESK_WEBHOOK_TIMEOUT: '100ms' });
  const sub = await delivering.subAccount();
  const { sink, free } = await useConnections(delivering.tools.outbound, sub);
  const id = await delivering.subscribe(sub, `${sink.url}/hook`);
  await delivering.createContacts(sub, 3);
  await delivering.startWorker();
  await vi.waitFor(
    async () => expect(await delivering.attempts(id)).toMatchObject([DUE, DUE, DUE]),
    WAIT,
  );
  expect(await delivering.subscription(id)).toMatchObject(UNTOUCHED);
  expect(sink.requests).toHaveLength(SHARE);
  await free();
  const rows = await settled(delivering, id, 3);
  expect(rows.map(({ attempt, status }) => [attempt, status])).toEqual(
    rows.map(() => [1, 'succeeded']),
  );
  expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(3);
  expect(await delivering.subscription(id)).toMatchObject({ consecutive_failures: 0 });
  expect(sink.requests).toHaveLength(SHARE + 3);
});

test('deliveries of one sub-account are made while another waits for receivers of the same origin', async () => {
  const delivering = await startDelivering();
  const [busy, sub] = [await delivering.subAccount(), await delivering.subAccount()];
  const { sink } = await useConnections(delivering.tools.outbound, busy);
  const id = await delivering.subscribe(sub, `${sink.url}/hook`);
  await delivering.createContacts(sub, 3);
  await delivering.startWorker();
  const rows = await settled(delivering, id, 3);
  expect(rows.map(({ attempt, status }) => [attempt, status])).toEqual(
    rows.map(() => [1, 'succeeded']),
  );
});
