import { takeStep } from '../../src/workflows/runs/advance-run.ts';
import { inSandbox } from '../conversations/conversations.support.ts';
import { signInAs } from '../support/people.ts';
import { expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { applyTo, begin, contactIn, logOf, workflowOf } from './workflows.support.ts';

const HOUR_MS = 3_600_000;
const MAX = 20;
const DRY_RUN = 'POST /console/api/v1/workflows/flow/dry-run';
const DETAIL =
  'the contact got 20 automatic messages by sms within an hour; probably another program answers them';

const sending = (channel: string) =>
  workflowOf([{ send: { channel, body: 'Thank you, {{firstName}}.' } }], { reenter: true });

/** Takes the first step of a new run. */
async function takeFirst(service: TestService, contactId: string): Promise<string> {
  const { subAccountId, transact } = service;
  const [runId = ''] = await begin(service, subAccountId, [contactId]);
  await transact(subAccountId, OPERATOR, (work) => takeStep(work, runId, {}));
  return runId;
}

test('a workflow and a program that answers it stop after 20 messages to a contact in an hour', async ({
  service,
}) => {
  const { subAccountId: sub, database } = service;
  await inSandbox(service);
  await applyTo(service, sub, sending('sms'));
  const contactId = await contactIn(service, sub, { phone: '+4930123456' });
  const other = await contactIn(service, sub, { phone: '+4930123457' });
  for (let count = 0; count < MAX; count += 1) {
    await takeFirst(service, contactId);
  }
  await service.eventNames();
  await expect(takeFirst(service, contactId)).rejects.toThrow(DETAIL);
  const { call } = await signInAs(service, 'admin');
  const { body } = await call(DRY_RUN, { body: { contactId } });
  expect(body.data.steps).toMatchObject([{ outcome: 'failed', detail: DETAIL }]);
  expect(await database.rows('select count(*)::int as count from messages')).toEqual([
    { count: MAX },
  ]);
  const log = await logOf(service, sub, await takeFirst(service, other));
  expect(log).toMatchObject([{ outcome: 'done' }]);
  service.clock.advance(HOUR_MS + 1);
  const later = await logOf(service, sub, await takeFirst(service, contactId));
  expect(later).toMatchObject([{ outcome: 'done' }]);
});

test('messages of people do not count as automatic ones', async ({ service }) => {
  const { subAccountId: sub } = service;
  await inSandbox(service);
  await applyTo(service, sub, sending('sms'));
  const contactId = await contactIn(service, sub, { phone: '+4930123456' });
  const { body } = await service.call('POST /api/v1/conversations', {
    body: { contactId, channel: 'sms' },
  });
  for (let count = 0; count < MAX; count += 1) {
    await service.call(`POST /api/v1/conversations/${body.data.id}/messages`, {
      body: { channel: 'sms', bodyText: 'Hi' },
    });
  }
  const log = await logOf(service, sub, await takeFirst(service, contactId));
  expect(log).toMatchObject([{ outcome: 'done' }]);
});
