import { expect, test, vi } from 'vitest';
import { startDelivering, WAIT } from '../../support/deliveries.ts';
import { startSink } from '../../support/https-sink.ts';

test('an event is delivered although the job with the lease left the queue without ending it', async () => {
  const sink = await startSink();
  const delivering = await startDelivering();
  const sub = await delivering.subAccount();
  const id = await delivering.subscribe(sub, `${sink.url}/hook`);
  await delivering.database.rows(
    `update webhook_subscriptions set turn = 'left', turn_until = now() + interval '5 s' where id = $1`,
    [id],
  );
  await delivering.createContacts(sub, 1);
  await delivering.startWorker();
  await vi.waitFor(() => expect(sink.requests).toHaveLength(1), WAIT);
});
