import { takeStep } from '../../src/workflows/runs/advance-run.ts';
import { inSandbox } from '../conversations/conversations.support.ts';
import { signInAs } from '../support/people.ts';
import { expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { applyTo, begin, contactIn, logOf, workflowOf, writes } from './workflows.support.ts';

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

const MAILING = workflowOf([{ send: { channel: 'email', subject: 'Hi', body: 'Thank you.' } }], {
  reenter: true,
});
const BY_EMAIL = 'automatic messages by email within an hour; probably another program answers';

const sends = async (service: TestService, contactId: string) =>
  logOf(service, service.subAccountId, await takeFirst(service, contactId));

test('a program that answers from a new tag of its address each time gets 20 messages in an hour', async ({
  service,
}) => {
  const { subAccountId: sub, database } = service;
  await inSandbox(service);
  await applyTo(service, sub, MAILING);
  const old = await contactIn(service, sub, { email: 'Ticket+0@helpdesk.example' });
  service.clock.advance(HOUR_MS + 1);
  for (let count = 1; count <= MAX; count += 1) {
    await takeFirst(service, await writes(service, `ticket+${count}@helpdesk.example`));
  }
  const next = await writes(service, 'ticket+21@helpdesk.example');
  const plain = await writes(service, 'ticket@helpdesk.example');
  await service.eventNames();
  for (const contactId of [next, plain, old]) {
    await expect(takeFirst(service, contactId)).rejects.toThrow(
      `contacts whose addresses differ only by a tag got 20 ${BY_EMAIL}`,
    );
  }
  expect(await service.eventNames()).toEqual([]);
  const sent = `select from messages where sub_account_id = $1 and direction = 'outbound'`;
  expect(await database.rows(sent, [sub])).toHaveLength(MAX);
  for (const email of ['+1@helpdesk.example', 'tick@helpdesk.example', 'ticket+1@other.example']) {
    const contactId = await writes(service, email);
    expect(await sends(service, contactId)).toMatchObject([{ outcome: 'done' }]);
  }
  service.clock.advance(HOUR_MS + 1);
  expect(await sends(service, next)).toMatchObject([{ outcome: 'done' }]);
});

test('customers with addresses of a large provider share no limit', async ({ service }) => {
  await inSandbox(service);
  await applyTo(service, service.subAccountId, MAILING);
  for (let count = 1; count <= 61; count += 1) {
    await takeFirst(service, await writes(service, `customer-${count}@GMail.com`));
  }
  const sent = `select from messages where sub_account_id = $1 and direction = 'outbound'`;
  expect(await service.database.rows(sent, [service.subAccountId])).toHaveLength(61);
});

test('a program that answers from a new address each time gets 60 messages in an hour', async ({
  service,
}) => {
  const { subAccountId: sub } = service;
  await inSandbox(service);
  await applyTo(service, sub, MAILING);
  const old = await writes(service, 'old@helpdesk.example');
  service.clock.advance(HOUR_MS + 1);
  for (let count = 1; count <= 60; count += 1) {
    await takeFirst(service, await writes(service, `ticket-${count}@Helpdesk.example`));
  }
  const next = await writes(service, 'ticket-61@helpdesk.example');
  await service.eventNames();
  await expect(takeFirst(service, next)).rejects.toThrow(
    `new contacts of one mail domain got 60 ${BY_EMAIL}`,
  );
  expect(await service.eventNames()).toEqual([]);
  const silent = await contactIn(service, sub, { email: 'silent@helpdesk.example' });
  const other = await writes(service, 'ticket-61@other.example');
  for (const contactId of [old, silent, other]) {
    expect(await sends(service, contactId)).toMatchObject([{ outcome: 'done' }]);
  }
  service.clock.advance(HOUR_MS + 1);
  expect(await sends(service, next)).toMatchObject([{ outcome: 'done' }]);
});
