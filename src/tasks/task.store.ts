import { invalid, type Issue } from '#core/fault.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { Work } from '#core/work.ts';
import { answerOf, lockerOf, readerOf } from '#platform/database/live-records.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { lockReferredContact } from '../contacts/contact.store.ts';
import { Task } from './task.entity.ts';
import { taskSchema, WRITABLE_FIELDS, type TaskPatch } from './task.schema.ts';
import { queueReminder } from './tasks.jobs.ts';

/** Task `t` as every endpoint shows it. */
export const taskRecord = recordSchema(taskSchema, 't');

export const liveTasks = { table: 'tasks', alias: 't', record: taskRecord } as const;

export const readTask = readerOf('task', liveTasks);
export const theTask = answerOf(readTask);

/** Returns the live task, locked against every other writer. Throws `NOT_FOUND`. */
export const lockTask = lockerOf<Task>('task', Task);

/** The fields that a change compares. */
export type ChangeableTask = Pick<Task, (typeof WRITABLE_FIELDS)[number] | 'completedAt'>;

interface TaskChange {
  /** The fields that differ, in the order of their declaration. */
  readonly fields: TaskPatch;
  readonly completedAt: number | null;
  /** The task was not completed before and is now. */
  readonly completes: boolean;
}

/** Returns what a patch changes, or undefined if nothing differs. */
export function changeOf(
  task: ChangeableTask,
  patch: TaskPatch,
  now: Date,
): TaskChange | undefined {
  const changed = WRITABLE_FIELDS.filter(
    (field) => patch[field] !== undefined && patch[field] !== (task[field] ?? null),
  );
  if (changed.length === 0) {
    return undefined;
  }
  const fields: TaskPatch = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  if (fields.status === undefined) {
    return { fields, completedAt: task.completedAt ?? null, completes: false };
  }
  const completes = fields.status === 'completed';
  return { fields, completedAt: completes ? now.getTime() : null, completes };
}

/** Applies a change to a locked task. The caller emits the events. */
export function applyChange(work: Work, task: Task, { fields, completedAt }: TaskChange): void {
  Object.assign(task, fields);
  task.completedAt = completedAt;
  task.updatedAt = work.now;
  refuseUnknownAssignee(work, 'tasks');
  work.audit(task.id);
  if (REMINDER_FIELDS.some((field) => field in fields)) {
    queueReminder(work, task);
  }
}

/** The fields on which the reminder depends. */
const REMINDER_FIELDS = ['status', 'dueDate', 'assignedTo'];

/** The records that an input links a task to. */
interface LinksInput {
  readonly contactId?: string | null | undefined;
  readonly dealId?: string | null | undefined;
}

/** The linked records that are live. */
interface Links {
  readonly contact: { readonly tags: readonly string[] } | undefined;
  readonly deal: object | undefined;
}

/**
 * Locks the records that a task is to be linked to against deletion. Must run before a task is
 * locked: deleting or merging a contact locks the contact before its tasks, too.
 */
export async function lockLinks(work: Work, { contactId, dealId }: LinksInput): Promise<Links> {
  return {
    contact: contactId ? await lockReferredContact(work, contactId) : undefined,
    deal: dealId ? (await work.rows(LOCK_DEAL, [work.subAccountId, dealId]))[0] : undefined,
  };
}

const LOCK_DEAL = `select id from opportunities
  where sub_account_id = $1 and id = $2 and deleted_at is null for key share`;

/** Throws for links to foreign, unknown and deleted records, with the same issue for each. */
export function requireLinks({ contact, deal }: Links, { contactId, dealId }: LinksInput): void {
  const issues: Issue[] = [];
  if (contactId && !contact) {
    issues.push({
      in: 'body',
      path: '/contactId',
      message: 'is not a contact of this sub-account',
    });
  }
  if (dealId && !deal) {
    issues.push({
      in: 'body',
      path: '/dealId',
      message: 'is not an opportunity of this sub-account',
    });
  }
  if (issues.length > 0) {
    throw invalid(issues);
  }
}
