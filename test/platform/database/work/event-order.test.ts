import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { newId } from '#lib/id.ts';
import { publishAll } from '#platform/notify/publisher.ts';
import { taskCreated } from '../../../../src/tasks/task.events.ts';
import { WAITING } from '../../../support/locks.ts';
import { describe, expect, test, type TestService } from '../../../support/service.ts';

const INSERT = `insert into opt_outs (sub_account_id, id, channel, address, reason, created_at)
  values ($1, gen_random_uuid(), 'email', 'a', 'none', now())`;
const LOCK = `select from opt_outs where sub_account_id = $1 and address = 'a' for update`;
const CHANGE = `update opt_outs set reason = $2 where sub_account_id = $1 and address = 'a'`;

const REASON = `select reason from opt_outs where sub_account_id = $1 and address = 'a'`;

/** Changes the same row as the others, and emits an event about it. */
async function change(work: Work, reason: string): Promise<void> {
  work.write(CHANGE, [work.subAccountId, reason]);
  await work.emit(taskCreated, { contactId: null, data: { taskId: reason } as never });
}

async function result({ database, subAccountId }: TestService) {
  await publishAll(database);
  const [row] = await database.rows(REASON, [subAccountId]);
  const events = await database.rows<{ id: string; taskId: string; at: Date }>(
    `select id, data ->> 'taskId' as "taskId", occurred_at as at from events
     where sub_account_id = $1 order by position`,
    [subAccountId],
  );
  return { row, events };
}

describe('events of one record', () => {
  test('have the order and times of the commits, not of the starts', async ({ service }) => {
    const { transact, subAccountId, actor, database, clock } = service;
    await database.rows(INSERT, [subAccountId]);
    const startedAt = clock();
    const { promise: other, resolve: onCommit } = Promise.withResolvers<void>();
    const first = transact(subAccountId, actor, async (work) => {
      await other;
      await work.rows(LOCK, [subAccountId]);
      await change(work, 'started first');
    });
    clock.advance(MINUTE_MS);
    await transact(subAccountId, actor, async (work) => {
      await work.rows(LOCK, [subAccountId]);
      await change(work, 'committed first');
    });
    clock.advance(MINUTE_MS);
    onCommit();
    await first;
    const { row, events } = await result(service);
    expect(row).toEqual({ reason: 'started first' });
    expect(events.map(({ taskId }) => taskId)).toEqual(['committed first', 'started first']);
    const minutes = events.map(({ at }) => Math.floor((+at - +startedAt) / MINUTE_MS));
    expect(minutes).toEqual([1, 2]);
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted());
  });

  test('have it if the change waits within its only statement', async ({ service }) => {
    const { transact, subAccountId, actor, database } = service;
    await database.rows(INSERT, [subAccountId]);
    let waiting: Promise<void> | undefined;
    await transact(subAccountId, actor, async (work) => {
      await work.rows(LOCK, [subAccountId]);
      waiting = transact(subAccountId, actor, (another) => change(another, 'started first'));
      await expect.poll(() => database.rows(WAITING)).not.toEqual([]);
      await change(work, 'committed first');
    });
    await waiting;
    const { row, events } = await result(service);
    expect(row).toEqual({ reason: 'started first' });
    expect(events.map(({ taskId }) => taskId)).toEqual(['committed first', 'started first']);
  });

  test('have it if the clock of a server is behind', async ({ service }) => {
    const { database, subAccountId, clock } = service;
    const add = `insert into outbox (sub_account_id, id, name, data, occurred_at)
      values ($1, $2, 'task.created', '{}', now())`;
    const [late, early] = [newId(clock()), newId(new Date(clock().getTime() - 20_000))];
    await database.rows(add, [subAccountId, late]);
    await database.rows(add, [subAccountId, early]);
    const { events } = await result(service);
    expect(events.map(({ id }) => id)).toEqual([late, early]);
  });
});
