import { expect, test, vi } from 'vitest';
import type { JobContext } from '#core/job.ts';
import type { Transact, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { handleReadEvents } from '../../src/workflows/triggers/read-events.ts';
import { receiveTrigger } from '../../src/workflows/triggers/receive-call.ts';
import { startDelivering } from '../support/deliveries.ts';
import { WAITING_FOR_ME } from '../support/locks.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, contactIn, runsIn, WAIT, workflowOf } from './workflows.support.ts';

const triggers = [{ on: 'form.submitted' }, { on: 'inbound_webhook' }];

/** A workflow whose runs wait for a day, and a function that removes it while another work goes on. */
async function withWorkflow() {
  const service = await startDelivering();
  const sub = await service.subAccount();
  await applyTo(service, sub, workflowOf([{ wait: { for: '1d' } }], { triggers }));
  let removed: Promise<unknown> = Promise.resolve();
  const removeDuring = async (work: Work) => {
    let isRemoved = false;
    removed = applyTo(service, sub, { workflows: [] }, true).finally(() => {
      isRemoved = true;
    });
    await vi.waitFor(async () => {
      const waiting = isRemoved ? [] : await work.rows(WAITING_FOR_ME, []);
      expect(isRemoved || waiting.length > 0).toBe(true);
    }, WAIT);
  };
  const statuses = async () => {
    await removed;
    return (await runsIn(service, sub)).map(({ status, error }) => [status, error]);
  };
  return { service, sub, removeDuring, statuses };
}

test('a run that an event starts while its workflow is removed is cancelled', async () => {
  const { service, sub, removeDuring, statuses } = await withWorkflow();
  await service.database.rows(
    `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
     values ($1, $2, 'form.submitted', null, '{}', now())`,
    [sub, newId(new Date())],
  );
  await service.database.rows('select publish_events(1000)');
  const transact: Transact = (of, actor, change, conclude) =>
    service.transact(
      of,
      actor,
      async (work) => {
        const result = await change(work);
        await removeDuring(work);
        return result;
      },
      conclude,
    );
  const context = { ...service, actor: OPERATOR, signal: new AbortController().signal, transact };
  await handleReadEvents.handle({ subAccountId: sub }, context as unknown as JobContext);
  expect(await statuses()).toEqual([['cancelled', 'the workflow was removed']]);
});

test('a run that a call starts while its workflow is removed is cancelled', async () => {
  const { service, sub, removeDuring, statuses } = await withWorkflow();
  const contactId = await contactIn(service, sub);
  const [workflow] = await service.database.rows<{ id: string }>(
    'select id from workflows where sub_account_id = $1',
    [sub],
  );
  await service.transact(sub, OPERATOR, async (work) => {
    const once = { ids: [newId(work.now)] as const, isStored: true, expiresAt: work.now };
    const call = { workflowId: workflow?.id ?? '', body: { contactId }, once };
    expect(await receiveTrigger(work, call)).toEqual({ triggered: 1 });
    await removeDuring(work);
  });
  expect(await statuses()).toEqual([['cancelled', 'the workflow was removed']]);
});
