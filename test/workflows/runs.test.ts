/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */
import { expect, test, vi } from 'vitest';
import { newId } from '#lib/id.ts';
import { createSubAccount } from '../../src/accounts/sub-accounts/create-sub-account.ts';
import { deleteContact } from '../../src/contacts/delete-contact.ts';
import { mergeContacts } from '../../src/contacts/merge/merge-contacts.ts';
import { updateContact } from '../../src/contacts/update-contact.ts';
import { startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import {
  applyTo,
  begin,
  contactIn,
  logOf,
  runsIn,
  runThatIs,
  taken,
  WAIT,
  workflowOf,
} from './workflows.support.ts';

test('an event that matches the filter starts one run, with its data', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await contactIn(service, sub, { firstName: 'Before' });
  const on = (where: object) => ({ triggers: [{ on: 'contact.created', where }] });
  await applyTo(service, sub, {
    workflows: [
      ...workflowOf([{ setField: { field: 'title', value: 'Dr' } }], on({ lastName: 'lovelace' }))
        .workflows,
      { ...workflowOf([{ addTag: 'no' }], on({ lastName: 'Other' })).workflows[0], slug: 'other' },
    ],
  });
  await service.startWorker();
  const contact = await contactIn(service, sub);
  const run = await runThatIs(service, sub, 'completed');
  expect([run.contactId, run.trigger, run.workflow]).toEqual([contact, 'contact.created', 'flow']);
});

test('a goal is met by an earlier event or by a later one, or times out; the next if can tell', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(
    service,
    sub,
    workflowOf([
      { goal: { event: 'contact.updated' } },
      { goal: { event: 'contact.tag_added' } },
      { if: { field: 'goal', equals: 'met' }, then: [{ addTag: 'met' }] },
      { goal: { event: 'never', timeout: '1s' } },
      { if: { field: 'goal', equals: 'met' }, then: [], else: [{ addTag: 'late' }] },
    ]),
  );
  const contact = await contactIn(service, sub);
  const [runId = ''] = await begin(service, sub, [contact]);
  await service.startWorker();
  await vi.waitFor(
    async () =>
      expect((await runThatIs(service, sub, 'waiting')).waitingFor).toBe('contact.updated'),
    WAIT,
  );
  await service.transact(sub, OPERATOR, (work) => updateContact(work, contact, { tags: ['vip'] }));
  await runThatIs(service, sub, 'completed');
  expect(taken(await logOf(service, sub, runId))).toEqual([
    '/0 goal met',
    '/1 goal met',
    '/2 if then',
    '/2/then/0 addTag done',
    '/3 goal timed_out',
    '/4 if else',
    '/4/else/0 addTag done',
  ]);
  const details = await service.database.rows<{ detail: string }>(
    `select detail from workflow_log where run_id = $1 and step = 'if' order by id`,
    [runId],
  );
  expect(details.map(({ detail }) => detail)).toEqual([
    'goal is "met"',
    'goal is "timed_out", not "met"',
  ]);
});

test('deleting a contact cancels its runs', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ wait: { for: '1d' } }]));
  const contact = await contactIn(service, sub);
  await begin(service, sub, [contact]);
  await service.startWorker();
  await runThatIs(service, sub, 'waiting');
  await service.transact(sub, OPERATOR, (work) => deleteContact(work, contact));
  const run = await runThatIs(service, sub, 'cancelled');
  expect(run.error).toBe('the contact was deleted');
});

test('a contact has one unfinished run of a workflow, unless it allows reentry', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  const contact = await contactIn(service, sub);
  const steps = [{ wait: { for: '1d' } }];
  await applyTo(service, sub, workflowOf(steps));
  expect(await begin(service, sub, [contact, contact])).toHaveLength(1);
  expect(await begin(service, sub, [contact])).toHaveLength(0);
  await applyTo(service, sub, workflowOf(steps, { reenter: true }));
  expect(await begin(service, sub, [contact, contact])).toHaveLength(2);
});

test('a run keeps the steps that it started with', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ wait: { for: '2s' } }, { addTag: 'old' }]));
  const contact = await contactIn(service, sub);
  const [runId = ''] = await begin(service, sub, [contact]);
  await applyTo(service, sub, workflowOf([{ addTag: 'new' }], { active: false }));
  await service.startWorker();
  await runThatIs(service, sub, 'completed');
  expect((await logOf(service, sub, runId)).at(-1)).toMatchObject({
    step: 'addTag',
    detail: 'old',
  });
});

test('runs of a merged contact continue for the kept one, all of them', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ wait: { for: '1s' } }, { addTag: 'done' }]));
  const kept = await contactIn(service, sub);
  const other = await contactIn(service, sub);
  await begin(service, sub, [kept, other]);
  await service.transact(sub, OPERATOR, (work) => mergeContacts(work, kept, other));
  await service.startWorker();
  const areAllOf = (contact: string) =>
    vi.waitFor(async () => {
      const runs = await runsIn(service, sub);
      expect(runs.map(({ contactId, status }) => [contactId, status])).toEqual([
        [contact, 'completed'],
        [contact, 'completed'],
      ]);
    }, WAIT);
  await areAllOf(kept);
  const another = await contactIn(service, sub);
  await service.transact(sub, OPERATOR, (work) => mergeContacts(work, another, kept));
  await areAllOf(another);
});

test('a workflow that replies to its own messages stops, too', async () => {
  const service = await startDelivering();
  const sub = newId(new Date());
  await service.transact(sub, OPERATOR, (work) =>
    createSubAccount(work, { name: 'Sandbox', sandbox: true }),
  );
  const triggers = [{ on: 'contact.created' }, { on: 'message.sent' }];
  const send = { channel: 'email', subject: 'Hi', body: 'Hi' };
  await applyTo(service, sub, workflowOf([{ send }], { triggers, reenter: true }));
  await service.startWorker();
  await contactIn(service, sub, { email: 'ada@example.com' });
  await vi.waitFor(async () => {
    const runs = await runsIn(service, sub);
    expect(runs.map(({ status }) => status)).toEqual([
      'failed',
      ...Array.from({ length: 11 }, () => 'completed'),
    ]);
  }, WAIT);
});
