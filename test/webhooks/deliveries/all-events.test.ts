import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { startDelivering, settled, WAIT } from '../../support/deliveries.ts';
import { startSink } from '../../support/https-sink.ts';

describe('a subscription to all events', () => {
  test('gets every event, including names of later releases', async () => {
    const receiver = await startSink();
    const delivering = await startDelivering();
    const sub = await delivering.subAccount();
    const all = await delivering.subscribe(sub, receiver.url, ['*']);
    const other = await delivering.subscribe(sub, receiver.url, ['task.created']);
    await delivering.createContacts(sub, 1);
    await delivering.database.rows(
      `insert into outbox (sub_account_id, id, name, data, occurred_at)
       values ($1, $2, 'event.of_a_later_release', '{}', now())`,
      [sub, randomUUID()],
    );
    await delivering.startWorker();
    const rows = await settled(delivering, all, 2);
    expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    // Both requests are under way at once, so either may arrive first.
    expect(
      receiver.requests
        .map(({ headers }) => headers['x-webhook-event'])
        .toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual(['contact.created', 'event.of_a_later_release']);
    await vi.waitFor(async () => {
      expect(await delivering.database.rows('select from outbox')).toEqual([]);
    }, WAIT);
    expect(await delivering.attempts(other)).toEqual([]);
    await receiver.close();
  });
});
