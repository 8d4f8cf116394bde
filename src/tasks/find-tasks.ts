import { Type, type Static } from 'typebox';
import { pageQuery, pageSize, type Reply } from '#kit/endpoint.ts';
import { pageWithTotal, readPage } from '#kit/record.ts';
import * as s from '#kit/schema.ts';
import type { View } from '#kit/work.ts';
import { taskRecord } from './read-task.ts';
import { TASK_STATUSES } from './task.shape.ts';

export const taskQuery = s.strict({
  ...pageQuery,
  status: Type.Optional(s.oneOf(TASK_STATUSES)),
  assignedTo: Type.Optional(s.uuid()),
  contactId: Type.Optional(s.uuid()),
  dealId: Type.Optional(s.uuid()),
  dueBefore: Type.Optional(s.epochMs()),
  dueAfter: Type.Optional(s.epochMs()),
});
export type TaskQuery = Static<typeof taskQuery>;

/** Newest first. `total` counts every match; without filters it is the sum of a few tallies. */
export async function findTasks(
  view: View,
  query: TaskQuery,
  after: string | undefined,
): Promise<Reply> {
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const filters = filtersOf(query, bind);
  const condition = [LIVE, ...filters].join(' and ');
  const total = filters.length === 0 ? TALLY : `select count(*) from tasks t where ${condition}`;
  const size = pageSize(query);
  const older = after === undefined ? '' : `and t.id < ${bind(after)}::uuid`;
  const records = `select ${taskRecord.members} from tasks t where ${condition} ${older}
    order by t.id desc limit ${size + 1}`;
  const rows = await view.texts(pageWithTotal(total, records), values);
  const page = readPage(taskRecord, rows, size);
  return { data: page.data, meta: { total: page.total }, next: page.next };
}

/** A task without a due date is neither before nor after any time. */
function filtersOf(query: TaskQuery, bind: (value: unknown) => string): string[] {
  const { status, assignedTo, contactId, dealId, dueBefore, dueAfter } = query;
  const filters: (string | false)[] = [
    status !== undefined && `t.status = ${bind(status)}`,
    assignedTo !== undefined && `t.assigned_to = ${bind(assignedTo)}::uuid`,
    contactId !== undefined && `t.contact_id = ${bind(contactId)}::uuid`,
    dealId !== undefined && `t.deal_id = ${bind(dealId)}::uuid`,
    dueBefore !== undefined && `t.due_date < ${bind(dueBefore)}::int8`,
    dueAfter !== undefined && `t.due_date > ${bind(dueAfter)}::int8`,
  ];
  return filters.filter((filter) => filter !== false);
}

const LIVE = 't.sub_account_id = $1 and t.deleted_at is null';

const TALLY = `select coalesce(sum(difference), 0)::int8 from tallies
  where sub_account_id = $1 and noun = 'tasks'`;
