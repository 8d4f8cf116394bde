import { liveTasks } from '../../../src/tasks/task.store.ts';
import { queryBuilder, queryRows, queryTexts } from '#platform/database/query-builder.ts';
import type { TaskTable } from '../../../src/tasks/task.entity.ts';
import { describe, expect, test } from '../../support/service.ts';

describe('the query builder', () => {
  test('builds a statement whose rows a view reads', async ({ running: { database } }) => {
    const { db, sql } = await queryBuilder<typeof TaskTable>();
    const view = { ...database, subAccountId: crypto.randomUUID(), now: new Date() } as never;
    const query = db
      .selectFrom('tasks as t')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('t.sub_account_id', '=', crypto.randomUUID())
      .where('t.status', '=', 'todo');
    expect(await queryRows(view, query)).toEqual([{ count: 0 }]);
    expect(await queryTexts(view, query)).toEqual([['0']]);
  });

  test('selects the members of a record in their order', async () => {
    const { db, membersOf } = await queryBuilder<typeof TaskTable>();
    const { sql } = db.selectFrom('tasks as t').select(membersOf(liveTasks.record)).compile();
    expect(sql).toBe(`select ${liveTasks.record.members} from "tasks" as "t"`);
  });

  test('takes values as parameters only', async () => {
    const { db } = await queryBuilder<typeof TaskTable>();
    const title = `'; drop table tasks; --`;
    const query = db.selectFrom('tasks').select('id').where('title', '=', title).compile();
    expect(query.sql).toBe('select "id" from "tasks" where "title" = $1');
    expect(query.parameters).toEqual([title]);
  });
});
