import { takeStep } from '../../src/workflows/runs/advance-run.ts';
import { signInAs } from '../support/people.ts';
import { expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { applyTo, begin, contactIn, logOf, workflowOf, writes } from './workflows.support.ts';

const HOUR_MS = 3_600_000;
const NOTIFYING = workflowOf([{ notify: { subject: 'News', body: 'Of {{firstName}}' } }], {
  reenter: true,
});

/** Takes the first step of a new run and returns its log. */
async function takeFirst(service: TestService, contactId: string | null) {
  const { subAccountId, transact } = service;
  const [runId = ''] = await begin(service, subAccountId, [contactId]);
  await transact(subAccountId, OPERATOR, (work) => takeStep(work, runId, {}));
  return logOf(service, subAccountId, runId);
}

const queuedNotices = async ({ database, subAccountId }: TestService): Promise<number> => {
  const rows = await database.rows(
    `select from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'accounts/notify-admins' and payload->>'subAccountId' = $1`,
    [subAccountId],
  );
  return rows.length;
};

test('the admins get 20 notices of workflows about a contact in an hour', async ({ service }) => {
  const { subAccountId: sub } = service;
  const detail =
    'the admins got 20 notices about the contact within an hour; probably another program answers them';
  await applyTo(service, sub, NOTIFYING);
  const contactId = await contactIn(service, sub, { email: 'desk@helpdesk.example' });
  const other = await contactIn(service, sub, { email: 'ada@helpdesk.example' });
  for (let count = 0; count < 20; count += 1) {
    await takeFirst(service, contactId);
  }
  await service.eventNames();
  await expect(takeFirst(service, contactId)).rejects.toThrow(detail);
  expect(await service.eventNames()).toEqual([]);
  expect(await queuedNotices(service)).toBe(20);
  const { call } = await signInAs(service, 'admin');
  const { body } = await call('POST /console/api/v1/workflows/flow/dry-run', {
    body: { contactId },
  });
  expect(body.data.steps).toMatchObject([
    { step: 'notify', outcome: 'failed', detail, says: `failed: ${detail}` },
  ]);
  expect(await takeFirst(service, other)).toMatchObject([{ outcome: 'done' }]);
  service.clock.advance(HOUR_MS + 1);
  expect(await takeFirst(service, contactId)).toMatchObject([{ outcome: 'done' }]);
});

test('notices of runs without a contact are not limited', async ({ service }) => {
  await applyTo(service, service.subAccountId, NOTIFYING);
  for (let count = 0; count < 21; count += 1) {
    expect(await takeFirst(service, null)).toMatchObject([{ outcome: 'done' }]);
  }
});

test.for([
  ['a new tag', 20, 'contacts whose addresses differ only by a tag', 'ticket+'],
  ['a new address', 60, 'new contacts of one mail domain', 'ticket-'],
] as const)(
  'a ticket system that answers notices from %s each time causes %i in an hour',
  async ([, max, contacts, prefix], { service }) => {
    await applyTo(service, service.subAccountId, NOTIFYING);
    for (let count = 0; count < max; count += 1) {
      await takeFirst(service, await writes(service, `${prefix}${count}@helpdesk.example`));
    }
    const next = await writes(service, `${prefix}next@helpdesk.example`);
    await service.eventNames();
    await expect(takeFirst(service, next)).rejects.toThrow(
      `the admins got ${max} notices about ${contacts} within an hour`,
    );
    expect(await service.eventNames()).toEqual([]);
    expect(await queuedNotices(service)).toBe(max);
  },
);
