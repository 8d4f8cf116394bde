import { takeStep } from '../../src/workflows/runs/advance-run.ts';
import { inSandbox, suppress } from '../conversations/conversations.support.ts';
import { signInAs } from '../support/people.ts';
import { expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { applyTo, begin, contactIn, logOf, workflowOf } from './workflows.support.ts';

const DRY_RUN = 'POST /console/api/v1/workflows/flow/dry-run';
const REASON = 'the contact opted out of this channel, or has do-not-disturb set';
const STEPS = [{ send: { channel: 'email', subject: 'Hi', body: 'Hi {{firstName}}' } }];

/** Takes the first step of a new run. */
async function takeFirst(service: TestService, contactId: string): Promise<string> {
  const { subAccountId, transact } = service;
  const [runId = ''] = await begin(service, subAccountId, [contactId]);
  await transact(subAccountId, OPERATOR, (work) => takeStep(work, runId, {}));
  return runId;
}

test.for([
  ['that opted out', { email: 'ada@example.com' }, 'ada@example.com'],
  ['with do-not-disturb for the channel', { email: 'ada@example.com', dnd: { email: true } }, ''],
  ['with do-not-disturb for all channels', { email: 'ada@example.com', dnd: { all: true } }, ''],
] as const)(
  'a send to a contact %s is skipped by a run and by its dry run, without a conversation',
  async ([, fields, suppressed], { service }) => {
    const { subAccountId: sub, database } = service;
    await inSandbox(service);
    await applyTo(service, sub, workflowOf(STEPS));
    const contactId = await contactIn(service, sub, fields);
    if (suppressed) {
      await suppress(service, 'email', suppressed);
    }
    const { call } = await signInAs(service, 'admin');
    const { body } = await call(DRY_RUN, { body: { contactId } });
    expect(body.data.steps).toMatchObject([
      { step: 'send', outcome: 'skipped', detail: REASON, says: `skipped: ${REASON}` },
    ]);
    await service.eventNames();
    const log = await logOf(service, sub, await takeFirst(service, contactId));
    expect(log).toMatchObject([{ step: 'send', outcome: 'skipped', detail: REASON }]);
    expect(await database.rows('select id from conversations')).toEqual([]);
    expect(await service.eventNames()).toEqual([]);
  },
);

test('a dry run says that a channel has no provider, as a run does', async ({ service }) => {
  const { subAccountId: sub } = service;
  await applyTo(service, sub, workflowOf(STEPS));
  const contactId = await contactIn(service, sub, { email: 'ada@example.com' });
  const { call } = await signInAs(service, 'admin');
  const { body } = await call(DRY_RUN, { body: { contactId } });
  const detail = 'no provider is set up for email';
  expect(body.data.steps).toMatchObject([{ outcome: 'failed', detail }]);
  await expect(takeFirst(service, contactId)).rejects.toThrow(detail);
});

test('a dry run of a message that would be sent has no outcome', async ({ service }) => {
  const { subAccountId: sub } = service;
  await inSandbox(service);
  await applyTo(service, sub, workflowOf(STEPS));
  const contactId = await contactIn(service, sub, { email: 'ada@example.com', dnd: { sms: true } });
  const { call } = await signInAs(service, 'admin');
  const { body } = await call(DRY_RUN, { body: { contactId } });
  expect(body.data.steps).toMatchObject([
    { outcome: null, detail: null, arguments: { body: 'Hi Ada' } },
  ]);
});
