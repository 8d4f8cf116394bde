import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { pageQuery } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { findLive, type ListCall, type LiveRecords } from '#platform/database/live-records.ts';
import { liveTasks } from './task.store.ts';
import { TASK_STATUSES } from './task.schema.ts';

export const taskQuery = s.request({
  ...pageQuery,
  status: Type.Optional(s.oneOf(TASK_STATUSES)),
  assignedTo: Type.Optional(s.uuid()),
  contactId: Type.Optional(s.uuid()),
  dealId: Type.Optional(s.uuid()),
  dueBefore: Type.Optional(s.instant()),
  dueAfter: Type.Optional(s.instant()),
});

/** Returns a page of tasks. A task without a due date matches neither `dueBefore` nor `dueAfter`. */
export function findTasks(
  { view, query, after }: ListCall<Static<typeof taskQuery>>,
  records: LiveRecords = liveTasks,
): Promise<Reply> {
  const { status, assignedTo, contactId, dealId, dueBefore, dueAfter } = query;
  return findLive(view, records, {
    query,
    after,
    filters: (bind) => [
      status !== undefined && `t.status = ${bind(status)}`,
      assignedTo !== undefined && `t.assigned_to = ${bind(assignedTo)}::uuid`,
      contactId !== undefined && `t.contact_id = ${bind(contactId)}::uuid`,
      dealId !== undefined && `t.deal_id = ${bind(dealId)}::uuid`,
      dueBefore !== undefined && `t.due_date < ${bind(dueBefore)}::int8`,
      dueAfter !== undefined && `t.due_date > ${bind(dueAfter)}::int8`,
    ],
  });
}
