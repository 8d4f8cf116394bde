import { expect, test } from 'vitest';
import { acquireMailingLease } from '../../../src/campaigns/delivery/claim-recipients.ts';
import {
  runSendLoop,
  type Mailing,
  inFlightWindow,
  openTokenBucket,
} from '../../../src/campaigns/delivery/send-loop.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { guests, started, statuses } from '../mailing.support.ts';

const PER_SECOND = 20;

test.for([
  ['the database goes away', '57P01'],
  ['a statement is the victim of a deadlock', '40P01'],
] as const)('records the outcome of a mail if %s while it is under way', async ([, code]) => {
  const { port } = await mailServer();
  const { sending, id } = await started(port, guests(3), { worker: false });
  const view = sending.openView(sending.subAccountId, new Date());
  const lease = await acquireMailingLease(view);
  const isBack = Promise.withResolvers<void>();
  let asked = 0;
  const rows: Mailing['rows'] = async (text, values) => {
    asked += 1;
    if (asked === 2) {
      throw Object.assign(new Error('not now'), { code });
    }
    if (asked > 2) {
      isBack.resolve();
    }
    return view.rows(text, values);
  };
  await runSendLoop({
    subAccountId: sending.subAccountId,
    campaignId: id,
    holder: lease?.holder ?? '',
    rows,
    onBug: () => undefined,
    async mail({ id }) {
      await isBack.promise;
      const said = { errorCode: null, errorMessage: null, waitMs: null, isAttempt: true };
      return { id, status: 'sent', ...said };
    },
    bucket: openTokenBucket(PER_SECOND, performance.now()),
    window: inFlightWindow(2),
    over: new AbortController().signal,
  });
  expect(await statuses(sending, id)).toEqual({
    guest100: 'sent',
    guest101: 'sent',
    guest102: 'sent',
  });
});
