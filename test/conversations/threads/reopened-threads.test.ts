import type { NoticeSubject } from '../../../src/booking/notices/notice-subject.ts';
import { writeNotice } from '../../../src/booking/notices/send-notices.ts';
import { takeStep } from '../../../src/workflows/runs/advance-run.ts';
import { OPERATOR, describe, expect, test, type TestService } from '../../support/service.ts';
import { applyTo, begin, workflowOf } from '../../workflows/workflows.support.ts';
import {
  ADA,
  newThread,
  patched,
  queued,
  setUpChannel,
  threadOf,
} from '../conversations.support.ts';

/** Creates a conversation by sms with this status and one unread message. */
async function quietThread(service: TestService, status: string) {
  await setUpChannel(service, 'sms');
  const thread = await newThread(service, 'sms');
  await patched(service, thread.id, { status });
  const unread = 'update conversations set unread_count = 1 where id = $1';
  await service.database.rows(unread, [thread.id]);
  await service.events();
  return thread;
}

const expectAnswered = async (service: TestService, id: string) => {
  expect(await threadOf(service, id)).toMatchObject({ status: 'open', unreadCount: 0 });
  expect(await queued(service)).toHaveLength(1);
  // message.sent fires when the provider has accepted the message.
  expect(await service.eventNames()).toEqual([]);
};

describe.for(['closed', 'snoozed'])('a %s conversation by sms', (status) => {
  test('is reopened and marked as read by an SMS about an appointment', async ({ service }) => {
    const { id, contactId } = await quietThread(service, status);
    const subject = { ...ADA, contactId, dnd: {}, isOptedOut: false } as unknown as NoticeSubject;
    const template = { channel: 'sms', subject: null, body: 'See you on Tuesday' } as const;
    await service.transact(service.subAccountId, OPERATOR, (work) =>
      writeNotice(work, { subject, template, values: {} }),
    );
    await expectAnswered(service, id);
  });

  test("is reopened and marked as read by a workflow's SMS", async ({ service }) => {
    const { id, contactId } = await quietThread(service, status);
    const { subAccountId } = service;
    await applyTo(service, subAccountId, workflowOf([{ send: { channel: 'sms', body: 'Hello' } }]));
    const [runId = ''] = await begin(service, subAccountId, [contactId]);
    await service.transact(subAccountId, OPERATOR, (work) => takeStep(work, runId, {}));
    await expectAnswered(service, id);
  });
});
