import { expect, test } from 'vitest';
import {
  acquireMailingLease,
  SETTLE_UNKNOWN,
} from '../../../src/campaigns/delivery/claim-recipients.ts';
import {
  runSendLoop,
  inFlightWindow,
  openTokenBucket,
  type Mailing,
} from '../../../src/campaigns/delivery/send-loop.ts';
import { mailServer } from '../../conversations/sending.support.ts';
import { guests, started, statuses } from '../mailing.support.ts';

const OUTCOME = { errorCode: null, errorMessage: null, waitMs: null, isAttempt: true } as const;

/** A campaign to some guests, and the parts of a mailing that is not limited. */
async function withMailing(count: number) {
  const { port } = await mailServer();
  const { sending, id } = await started(port, guests(count), { worker: false });
  const view = sending.openView(sending.subAccountId, new Date());
  const lease = await acquireMailingLease(view);
  const mailing: Mailing = {
    subAccountId: sending.subAccountId,
    campaignId: id,
    holder: lease?.holder ?? '',
    rows: view.rows,
    onBug: () => undefined,
    mail: ({ id: recipient }) => Promise.resolve({ id: recipient, status: 'sent', ...OUTCOME }),
    bucket: openTokenBucket(null, performance.now()),
    window: inFlightWindow(2),
    over: new AbortController().signal,
  };
  return { sending, id, mailing };
}

test('a recipient whose mail throws an error is unknown, and the others are mailed', async () => {
  const { sending, id, mailing } = await withMailing(3);
  const bugs: unknown[] = [];
  await runSendLoop({
    ...mailing,
    onBug: (error) => bugs.push(error),
    mail: (recipient) =>
      recipient.email.startsWith('guest101')
        ? Promise.reject(new Error('broken'))
        : mailing.mail(recipient),
  });
  expect(await statuses(sending, id)).toEqual({
    guest100: 'sent',
    guest101: 'unknown',
    guest102: 'sent',
  });
  expect(bugs).toMatchObject([{ message: 'broken' }]);
});

test('an outcome that comes after the recipient became unknown counts, and loses no claim', async () => {
  const { sending, id, mailing } = await withMailing(6);
  let [failures, mails] = [1, 0];
  const marked = Promise.withResolvers<void>();
  await runSendLoop({
    ...mailing,
    async rows<T extends object>(text: string, values: readonly unknown[]): Promise<T[]> {
      if (text === SETTLE_UNKNOWN && failures > 0) {
        failures -= 1;
        throw new Error('connection lost');
      }
      return mailing.rows<T>(text, values);
    },
    async mail(recipient) {
      mails += 1;
      if (mails === 1) {
        // As another run does whose lease began after this one had ended.
        await sending.database.rows(
          `update campaign_recipients set status = 'unknown' where id = $1`,
          [recipient.id],
        );
        marked.resolve();
      }
      await marked.promise;
      return mailing.mail(recipient);
    },
  });
  const sent = guests(6).map((email) => [email.split('@')[0], 'sent']);
  expect(await statuses(sending, id)).toEqual(Object.fromEntries(sent));
  expect([failures, mails]).toEqual([0, 6]);
});
