import { expect, test } from 'vitest';
import type { JobContext } from '#core/job.ts';
import { newId } from '#lib/id.ts';
import { handleReadEvents } from '../../src/workflows/triggers/read-events.ts';
import { startDelivering } from '../support/deliveries.ts';
import { OPERATOR } from '../support/service.ts';
import { applyTo, runsIn, workflowOf } from './workflows.support.ts';

const MB = 1_000_000;
const LARGE = 20;
const SMALL = 30;

test('large events are read a few at a time, small ones together, and each starts its run', async () => {
  const service = await startDelivering();
  const sub = await service.subAccount();
  const triggers = [{ on: 'form.submitted' }];
  await applyTo(service, sub, workflowOf([{ addTag: 'x' }], { triggers }));
  const happen = (bytes: number) =>
    service.database.rows(
      `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
       values ($1, $2, 'form.submitted', null, json_build_object('text', repeat('x', $3)), now())`,
      [sub, newId(new Date()), bytes],
    );
  for (let n = 0; n < LARGE; n += 1) {
    await happen(MB);
  }
  for (let n = 0; n < SMALL; n += 1) {
    await happen(10);
  }
  await happen(9 * MB);
  await service.database.rows('select publish_events(1000)');
  const began: number[] = [];
  const transact = async (...given: Parameters<typeof service.transact>) => {
    const answer = await service.transact(...given);
    began.push((await runsIn(service, sub)).length);
    return answer;
  };
  // All of it is one time slice.
  const now = new Date();
  const read = async () =>
    handleReadEvents.handle({ subAccountId: sub }, {
      ...service,
      transact,
      clock: () => now,
      actor: OPERATOR,
      signal: new AbortController().signal,
    } as unknown as JobContext);
  await read();
  // A page ends with the event that takes it to 8 MB or more.
  expect(began).toEqual([8, 16, LARGE + SMALL + 1]);
  await read();
  expect(began.at(-1)).toBe(LARGE + SMALL + 1);
});
