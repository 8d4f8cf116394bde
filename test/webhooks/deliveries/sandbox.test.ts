import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newId } from '#lib/id.ts';
import { createSubAccount } from '../../../src/accounts/sub-accounts/create-sub-account.ts';
import { createSubscription } from '../../../src/webhooks/subscriptions/create-subscription.ts';
import { settled, startDelivering } from '../../support/deliveries.ts';
import { startSink } from '../../support/https-sink.ts';
import { OPERATOR } from '../../support/service.ts';

test('the webhooks of a sandbox are real: signed, posted and logged', async () => {
  const receiver = await startSink();
  const delivering = await startDelivering();
  const { transact, secrets } = delivering;
  const sub = newId(new Date());
  const created = { name: 'Try', sandbox: true };
  await transact(sub, OPERATOR, (work) => createSubAccount(work, created));
  const given = { url: receiver.url, events: ['*'] };
  const { id, secret } = await transact(sub, OPERATOR, (work) =>
    createSubscription(work, secrets, given),
  );
  await delivering.startWorker();
  await delivering.createContacts(sub, 1);
  const [request] = await receiver.next(1);
  const headers = request?.headers as Record<string, string>;
  expect(new Webhook(secret).verify(String(request?.body), headers)).toMatchObject({
    event: 'contact.created',
    data: { subAccountId: sub },
  });
  expect(await settled(delivering, id, 1)).toMatchObject([{ status: 'succeeded' }]);
  await receiver.close();
});
