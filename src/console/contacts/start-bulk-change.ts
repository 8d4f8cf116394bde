import { invalid, invalidField, notFound } from '#core/fault.ts';
import type { Json } from '#core/schema/json.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { View, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { refuseUnclearSelection, selectionConditions } from '../../contacts/contact-selection.ts';
import { changeContactsJob } from './bulk-change.jobs.ts';
import { bulkChangeSchema, type BulkChangeInput } from './bulk-change.schema.ts';

/** Counts the selected contacts and queues their change. Returns the id of the bulk change. */
export async function startBulkChange(work: Work, input: BulkChangeInput): Promise<string> {
  const { contactIds, filter, change } = input;
  const { subAccountId, now, actor } = work;
  refuseUnclearSelection(input);
  if (Object.keys(change).length === 0) {
    throw invalid([{ in: 'body', path: '/change', message: 'changes nothing' }]);
  }
  if (change.assignedTo) {
    await assertMember(work, change.assignedTo);
  }
  const selection = contactIds === undefined ? { filter } : { contactIds };
  const total = await countSelected(work, input);
  const id = newId(now);
  const texts = [selection, change].map((value) => JSON.stringify(value));
  work.write(INSERT, [subAccountId, id, ...texts, actor.name, actor.requestId, total, now]);
  work.enqueue(changeContactsJob, { subAccountId, bulkChangeId: id });
  work.audit(id);
  return id;
}

async function assertMember({ rows, subAccountId }: Work, id: string): Promise<void> {
  const found = await rows(MEMBER, [subAccountId, id]);
  if (found.length === 0) {
    throw invalidField('/change/assignedTo', 'is not a team member of this sub-account');
  }
}

const MEMBER = 'select from team_members where sub_account_id = $1 and id = $2';

async function countSelected(work: Work, input: BulkChangeInput): Promise<number> {
  const values: unknown[] = [work.subAccountId];
  const conditions = selectionConditions(input, (value) => `$${values.push(value)}`);
  const [row] = await work.rows<{ contacts: number }>(
    `select count(*)::int as contacts from contacts c where ${conditions.join(' and ')}`,
    values,
  );
  return row?.contacts ?? 0;
}

const INSERT = `insert into contact_bulk_changes
    (sub_account_id, id, status, selection, change, started_by, request_id, total, processed,
     changed, refused, created_at, updated_at)
  values ($1, $2, 'running', $3::jsonb, $4::jsonb, $5, $6, $7, 0, 0, 0, $8, $8)`;

/** Ends a bulk change after the batch that is under way. Does nothing if it has ended. Throws NOT_FOUND. */
export async function stopBulkChange(work: Work, id: string): Promise<void> {
  await readBulkChange(work, id);
  const stopped = await work.rows(STOP, [work.subAccountId, id, work.now]);
  if (stopped.length > 0) {
    work.audit(id);
  }
}

const STOP = `update contact_bulk_changes set status = 'stopped', updated_at = $3
  where sub_account_id = $1 and id = $2 and status = 'running' returning id`;

const bulkChangeRecord = recordSchema(bulkChangeSchema, 'b');

/** Returns the progress of a bulk change. Throws NOT_FOUND. */
export async function readBulkChange(view: View, id: string): Promise<Json> {
  const [row] = await view.wireRows(READ, [view.subAccountId, id]);
  if (!row) {
    throw notFound('bulk change');
  }
  return bulkChangeRecord.encode(row, 0);
}

const READ = `select ${bulkChangeRecord.members} from contact_bulk_changes b
  where b.sub_account_id = $1 and b.id = $2`;
