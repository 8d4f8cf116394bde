import { Type } from 'typebox';
import { recordSchema } from '#core/schema/record.ts';
import { textOf } from '#core/schema/wire-row.ts';
import { liveTasks } from '../../../src/tasks/task.store.ts';
import { queryBuilder, queryRows, queryWireRows } from '#platform/database/query-builder.ts';
import type { TaskTable } from '../../../src/tasks/task.entity.ts';
import { describe, expect, test } from '../../support/service.ts';

const ID = crypto.randomUUID();

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
    const [row] = await queryWireRows(view, query);
    expect([textOf(row, 0), textOf(row, 1)]).toEqual(['0', null]);
  });

  test('selects the members of a record in their order', async () => {
    const { db, membersOf } = await queryBuilder<typeof TaskTable>();
    const members = membersOf(liveTasks.record, ID);
    const { sql } = db.selectFrom('tasks as t').select(members).compile();
    expect(sql).toBe(`select ${liveTasks.record.members} from "tasks" as "t"`);
  });

  test('gives members that are computed the sub-account as a value', async () => {
    const { db, membersOf } = await queryBuilder<typeof TaskTable>();
    const record = recordSchema(Type.Object({ count: Type.Integer() }), 't', {
      count: '(select count(*) from messages m where m.sub_account_id = $1)',
    });
    const query = db.selectFrom('tasks as t').select(membersOf(record, ID));
    const { sql, parameters } = query.where('t.title', '=', 'One').compile();
    expect(sql).toContain('m.sub_account_id = $1) as "count"');
    expect(sql).toContain('"t"."title" = $2');
    expect(parameters).toEqual([ID, 'One']);
  });

  test('takes values as parameters only', async () => {
    const { db } = await queryBuilder<typeof TaskTable>();
    const title = `'; drop table tasks; --`;
    const query = db.selectFrom('tasks').select('id').where('title', '=', title).compile();
    expect(query.sql).toBe('select "id" from "tasks" where "title" = $1');
    expect(query.parameters).toEqual([title]);
  });
});
