import { newId } from '#lib/id.ts';
import type { TestService } from '../../support/service.ts';

type Rows = Pick<TestService, 'database'>;

const INSERT = `insert into outbox (sub_account_id, id, name, data, occurred_at)
  select $1, id, 'task.created', json_build_object('n', n), now()
  from unnest($2::uuid[]) with ordinality as event (id, n)`;

/** Inserts events with these ids into the outbox, in this order. */
export const insertEvents = (
  { database }: Rows,
  subAccountId: string,
  ids: readonly string[],
): Promise<object[]> => database.rows(INSERT, [subAccountId, ids]);

/** Inserts events into the outbox. Returns their ids, the oldest first. */
export async function leave(service: Rows, subAccountId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(new Date()));
  await insertEvents(service, subAccountId, ids);
  return ids;
}

/** Returns the ids of published events in their order. */
export const published = async ({ database }: Rows, subAccountId: string): Promise<string[]> =>
  (
    await database.rows<{ id: string }>(
      'select id from events where sub_account_id = $1 order by position',
      [subAccountId],
    )
  ).map(({ id }) => id);
