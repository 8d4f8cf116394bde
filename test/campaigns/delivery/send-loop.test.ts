import { expect, test } from 'vitest';
import { acquireMailingLease } from '../../../src/campaigns/delivery/claim-recipients.ts';
import {
  runSendLoop,
  inFlightWindow,
  openTokenBucket,
} from '../../../src/campaigns/delivery/send-loop.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { guests, started, statuses } from '../mailing.support.ts';

test('a recipient whose mail throws an error is unknown, and the others are mailed', async () => {
  const { port } = await mailServer();
  const { sending, id } = await started(port, guests(3), { worker: false });
  const view = sending.openView(sending.subAccountId, new Date());
  const lease = await acquireMailingLease(view);
  const bugs: unknown[] = [];
  await runSendLoop({
    subAccountId: sending.subAccountId,
    campaignId: id,
    holder: lease?.holder ?? '',
    rows: view.rows,
    onBug: (error) => bugs.push(error),
    mail({ id, email }) {
      const said = { errorCode: null, errorMessage: null, waitMs: null, isAttempt: true };
      return email.startsWith('guest101')
        ? Promise.reject(new Error('broken'))
        : Promise.resolve({ id, status: 'sent', ...said });
    },
    bucket: openTokenBucket(null, performance.now()),
    window: inFlightWindow(2),
    over: new AbortController().signal,
  });
  expect(await statuses(sending, id)).toEqual({
    guest100: 'sent',
    guest101: 'unknown',
    guest102: 'sent',
  });
  expect(bugs).toMatchObject([{ message: 'broken' }]);
});
