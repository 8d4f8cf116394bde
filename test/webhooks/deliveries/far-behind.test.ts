import { expect, test, vi } from 'vitest';
import { startDelivering, WAIT } from '../../support/deliveries.ts';

test('a subscription without selected events moves to the head when housekeeping wakes it', async () => {
  const delivering = await startDelivering();
  const { database } = delivering;
  const sub = await delivering.subAccount();
  const id = await delivering.subscribe(sub, 'http://127.0.0.1:9/', ['invoice.paid']);
  await delivering.createContacts(sub, 3);
  await database.rows('select publish_events(1000)');
  const [head] = await database.rows<{ position: number }>(
    'select max(position) as position from events',
  );
  await delivering.startWorker();
  expect((await delivering.subscription(id)).position).toBe(0);
  await database.rows('select wake_far_behind(2)');
  await vi.waitFor(async () => {
    expect((await delivering.subscription(id)).position).toBe(head?.position);
  }, WAIT);
  expect(await delivering.attempts(id)).toEqual([]);
});
