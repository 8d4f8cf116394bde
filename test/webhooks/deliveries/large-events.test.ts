import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import type { Target } from '../../../src/webhooks/deliveries/lease.ts';
import { dueAttempts, newEvents } from '../../../src/webhooks/deliveries/attempt-queue.ts';
import { settled, startDelivering } from '../../support/deliveries.ts';
import { startSink } from '../../support/https-sink.ts';

const MANY = 20;
/** Event data of 1 MB. */
const LARGE = `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
  values ($1, $2, 'form.submitted', null, json_build_object('text', repeat('x', 1000000)), now())`;

test('large events and their further attempts are delivered a few at a time, and none is left out', async () => {
  const [receiver, delivering] = await Promise.all([
    startSink(),
    startDelivering({ FRONTDESK_WEBHOOK_RETRIES: '1ms' }),
  ]);
  const sub = await delivering.subAccount();
  const id = await delivering.subscribe(sub, receiver.url, ['form.submitted']);
  const events = Array.from({ length: MANY }, () => newId(new Date()));
  for (const event of events) {
    await delivering.database.rows(LARGE, [sub, event]);
  }
  await delivering.database.rows('select publish_events(1000)');
  const view = delivering.openView(sub, delivering.clock());
  const target = {
    subscriptionId: id,
    events: ['form.submitted'],
    isActive: true,
  } as unknown as Target;
  const news = await newEvents(view, target, 0, 500);
  expect([news.attempts.length, news.isAll]).toEqual([8, false]);
  const rest = await newEvents(view, target, news.readTo, 500);
  expect([...news.attempts, ...rest.attempts].map(({ eventId }) => eventId)).toEqual(
    events.slice(0, 16),
  );
  const last = await newEvents(view, target, rest.readTo, 500);
  expect([last.attempts.length, last.isAll]).toEqual([4, true]);

  const seen = new Set<unknown>();
  receiver.answer = ({ headers }, response) => {
    const event = headers['x-webhook-event-id'];
    void response.writeHead(seen.has(event) ? 200 : 503).end();
    seen.add(event);
  };
  await delivering.startWorker();
  await settled(delivering, id, 2 * MANY);
  const delivered = await delivering.database.rows<{ id: string }>(
    `select event_id as id from webhook_deliveries where status = 'succeeded' order by event_id`,
  );
  expect(delivered.map((row) => row.id)).toEqual(events);

  await delivering.database.rows(
    `update webhook_deliveries set status = 'pending', next_attempt_at = now() - interval '1 s'
     where attempt = 2`,
  );
  const now = delivering.openView(sub, new Date());
  expect(await dueAttempts(now, target, 1_000)).toHaveLength(8);
  expect(await dueAttempts(now, target, 3)).toHaveLength(3);
  await receiver.close();
});
