import { expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#lib/duration.ts';
import { WAIT } from '../../support/deliveries.ts';
import { databaseNow, expectWait, skewed, SKEWS } from '../../support/clock-skew.ts';
import { answering, bridge, sink, startSending } from '../sending.support.ts';

const NEXT_ATTEMPT = `select j.run_at as "runAt" from graphile_worker.jobs j
  join graphile_worker._private_jobs p on p.id = j.id
  where p.payload->>'messageId' = $1 and p.payload->>'attempt' = '2'`;

test.each(SKEWS)(
  'a message is sent again after its wait by a process whose clock is %s',
  async (_, skewMs) => {
    const sending = await startSending({ FRONTDESK_SEND_RETRIES: '30m' }, skewed(skewMs));
    const to = await sink();
    answering(to, [503]);
    await sending.setUp(bridge(to));
    await sending.startWorker();
    const since = await databaseNow(sending);
    const id = await sending.write('social_dm');
    const job = await vi.waitFor(async () => {
      const [row] = await sending.database.rows<{ runAt: Date }>(NEXT_ATTEMPT, [id]);
      expect(row).toBeDefined();
      return row;
    }, WAIT);
    await expectWait(sending, job?.runAt, { since, waitMs: 30 * MINUTE_MS });
    expect(to.requests).toHaveLength(1);
    expect(await sending.message(id)).toMatchObject({ status: 'pending' });
    expect(await sending.fired()).toEqual([]);
  },
);
