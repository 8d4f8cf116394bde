import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import { handleReadEvents } from '../../src/workflows/triggers/read-events.ts';
import { startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, workflowOf } from './workflows.support.ts';

type On = 'form.submitted' | 'invoice.paid';

const steps = [{ wait: { for: '1d' } }];

async function withEvents() {
  const service = await startDelivering();
  const sub = await service.subAccount();
  const context = { ...service, actor: OPERATOR, signal: new AbortController().signal };
  return {
    /** Applies the workflow with triggers for events that have these numbers. */
    listen: (triggers: readonly (readonly [On, number | number[]])[], active = true) =>
      applyTo(
        service,
        sub,
        workflowOf(steps, {
          active,
          triggers: triggers.map(([on, amount]) => ({ on, where: { amount } })),
        }),
      ),
    /** Commits and publishes an event that no workflow has read yet. */
    async happen(name: On, amount: number) {
      await service.database.rows(
        `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
         values ($1, $2, $3, null, json_build_object('amount', $4::int), now())`,
        [sub, newId(new Date()), name, amount],
      );
      await service.database.rows('select publish_events(1000)');
    },
    /** Reads all events, and returns what started runs. */
    async started(): Promise<unknown[]> {
      await handleReadEvents.handle({ subAccountId: sub }, context as unknown as JobContext);
      const runs = await service.database.rows<{ trigger: On; data: { amount: number } }>(
        'select trigger, data from workflow_runs where sub_account_id = $1 order by since_position',
        [sub],
      );
      return runs.map(({ trigger, data }) => [trigger, data.amount]);
    },
  };
}

test('an event counts for the triggers that the workflow had when it was committed', async () => {
  const { listen, happen, started } = await withEvents();
  await listen([['form.submitted', 1]]);
  await happen('form.submitted', 1);
  await happen('form.submitted', 2);
  await happen('invoice.paid', 1);
  await listen([
    ['form.submitted', 1],
    ['invoice.paid', 1],
  ]);
  await happen('form.submitted', 1);
  await happen('invoice.paid', 1);
  await listen([['invoice.paid', [2, 3]]]);
  await happen('form.submitted', 1);
  await happen('invoice.paid', 1);
  await happen('invoice.paid', 2);
  const expected = [
    ['form.submitted', 1],
    ['form.submitted', 1],
    ['invoice.paid', 1],
    ['invoice.paid', 2],
  ] as const;
  expect(await started()).toEqual(expected);
  // Everything is read, so former triggers are forgotten.
  await listen([['invoice.paid', 3]]);
  await happen('form.submitted', 1);
  await happen('invoice.paid', 2);
  await happen('invoice.paid', 3);
  expect(await started()).toEqual([...expected, ['invoice.paid', 3]]);
});

test('events before an activation start nothing, also if the workflow was active earlier', async () => {
  const { listen, happen, started } = await withEvents();
  await listen([['form.submitted', 1]]);
  await happen('form.submitted', 1);
  await listen([['form.submitted', [1, 2]]]);
  await listen([['form.submitted', [1, 2]]], false);
  await happen('form.submitted', 2);
  await listen([['form.submitted', [1, 2]]]);
  expect(await started()).toEqual([]);
  await happen('form.submitted', 2);
  expect(await started()).toEqual([['form.submitted', 2]]);
});
