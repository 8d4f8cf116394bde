import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { handleMailCampaigns } from '../../../src/campaigns/delivery/mail-campaigns.ts';
import {
  enterSlice,
  isSliceAwaited,
  MAILINGS_AT_ONCE,
} from '../../../src/campaigns/delivery/slice-gate.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { OPERATOR } from '../../support/service.ts';
import { became, WAIT } from '../campaigns.support.ts';
import { guests, started, statuses } from '../mailing.support.ts';

const PENDING = { guest100: 'pending', guest101: 'pending' };
const LEASES = 'select 1 from campaign_turns where turn is not null';
const STOPPED = new Error('the worker has to stop');

/** Begins the slices of as many sub-accounts as may send at the same time. Returns what ends each. */
async function takeAllPlaces(): Promise<(() => void)[]> {
  const { signal } = new AbortController();
  const entering = Array.from({ length: MAILINGS_AT_ONCE }, (_, n) =>
    enterSlice(`other ${n}`, signal),
  );
  const ends = await Promise.all(entering);
  onTestFinished(() => ends.forEach((end) => end()));
  return ends;
}

describe('while four sub-accounts send campaign mails', () => {
  test('the campaign of a fifth waits without a lease, and is sent once a slice ends', async () => {
    const ends = await takeAllPlaces();
    const { port } = await mailServer();
    const { sending, id } = await started(port, guests(2));
    await vi.waitFor(() => expect(isSliceAwaited()).toBe(true), WAIT);
    expect(await statuses(sending, id)).toEqual(PENDING);
    expect(await sending.database.rows(LEASES)).toEqual([]);
    ends[0]?.();
    await became(sending, id, 'sent');
    expect(isSliceAwaited()).toBe(false);
  });

  test('a job that waits gives up when its worker stops', async () => {
    await takeAllPlaces();
    const { port } = await mailServer();
    const { sending, id } = await started(port, guests(2), { worker: false });
    const stopping = new AbortController();
    const context = { ...sending, actor: OPERATOR, signal: stopping.signal };
    const { subAccountId } = sending;
    const job = handleMailCampaigns.handle({ subAccountId }, context as unknown as JobContext);
    expect(isSliceAwaited()).toBe(true);
    stopping.abort(STOPPED);
    await expect(job).rejects.toBe(STOPPED);
    expect(isSliceAwaited()).toBe(false);
    expect(await statuses(sending, id)).toEqual(PENDING);
    expect(await sending.database.rows(LEASES)).toEqual([]);
  });

  test('each end of a slice admits one, in the order of their requests', async () => {
    const [first, second] = await takeAllPlaces();
    const { signal } = new AbortController();
    const admitted: string[] = [];
    const [fifth, sixth] = ['fifth', 'sixth'].map((name) =>
      enterSlice(name, signal).then((end) => {
        admitted.push(name);
        return end;
      }),
    );
    first?.();
    // A second call gives no other place back.
    first?.();
    const end = await fifth;
    expect(admitted).toEqual(['fifth']);
    expect(isSliceAwaited()).toBe(true);
    second?.();
    (await sixth)?.();
    end?.();
    expect(admitted).toEqual(['fifth', 'sixth']);
  });
});
