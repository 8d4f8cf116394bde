import { Fault } from '#core/fault.ts';
import { handle } from '#core/job.ts';
import { snakeCase } from '#core/schema/columns.ts';
import type { Actor, Work } from '#core/work.ts';
import { endsJob, requireAccess } from '../../accounts/users/require-access.ts';
import {
  changeOf,
  type ContactChange,
  type WritableFields,
} from '../../contacts/contact-change.ts';
import { selectionConditions, type ContactSelection } from '../../contacts/contact-selection.ts';
import { WRITABLE_FIELDS, type ContactPatch } from '../../contacts/contact.schema.ts';
import { changeContacts } from '../../contacts/write-contacts-in-bulk.ts';
import { changeContactsJob } from './bulk-change.jobs.ts';
import { changers, type BulkChange } from './bulk-change.schema.ts';

/** Few enough that other writers of a contact wait for a moment only. */
const BATCH = 100;

interface BulkChangeRow {
  readonly selection: ContactSelection;
  readonly change: BulkChange;
  readonly reached: string | null;
  readonly createdAt: Date;
}

/**
 * Changes the selected contacts batch by batch. Each batch commits with the place that it reached, so
 * that an interrupted job continues there and no contact is changed twice.
 */
export const handleChangeContacts = handle(
  changeContactsJob,
  async ({ subAccountId, bulkChangeId }, { openView, clock, transact, execute, signal }) => {
    const [started] = await openView(subAccountId, clock()).rows<StartedRow>(STARTED, [
      subAccountId,
      bulkChangeId,
    ]);
    if (!started) {
      return;
    }
    const { startedBy: name, requestId } = started;
    const actor: Actor = { kind: 'user', name, requestId, operation: 'contacts.change-many' };
    const next = () => transact(subAccountId, actor, (work) => changeBatch(work, bulkChangeId));
    try {
      while (await next()) {
        signal.throwIfAborted();
      }
    } catch (error) {
      // Everything else, such as a lost connection or the end of the worker, is tried again.
      if (!(error instanceof Fault || endsJob(error))) {
        throw error;
      }
      await execute(FAIL, [subAccountId, bulkChangeId, error.message]);
    }
  },
  async ({ subAccountId, bulkChangeId }, { execute }) => {
    await execute(FAIL, [subAccountId, bulkChangeId, 'it ended several workers']);
  },
);

interface StartedRow {
  readonly startedBy: string;
  readonly requestId: string;
}

const STARTED = `select started_by as "startedBy", request_id as "requestId"
  from contact_bulk_changes where sub_account_id = $1 and id = $2 and status = 'running'`;

const FAIL = `update contact_bulk_changes set status = 'failed', error = $3, updated_at = now()
  where sub_account_id = $1 and id = $2`;

/** Changes the next contacts. Returns whether there may be more. */
async function changeBatch(work: Work, id: string): Promise<boolean> {
  await requireAccess(work, work.actor.name, changers);
  const [row] = await work.rows<BulkChangeRow>(LOCK, [work.subAccountId, id]);
  if (!row) {
    return false;
  }
  const contacts = await lockNext(work, row);
  const changes = new Map<string, ContactChange>();
  let refused = 0;
  for (const contact of contacts) {
    const change = await changeOf(work, contact, patchOf(contact, row.change)).catch(refusal);
    if (change === 'refused') {
      refused += 1;
    } else if (change) {
      changes.set(contact.id, change);
    }
  }
  await changeContacts(work, changes);
  if (changes.size > 0) {
    work.audit(id);
  }
  const isLast = contacts.length < BATCH;
  const counts = [contacts.length, changes.size, refused];
  const reached = contacts.at(-1)?.id ?? null;
  work.write(ADVANCE, [work.subAccountId, id, isLast, reached, ...counts, work.now]);
  return !isLast;
}

function refusal(error: unknown): 'refused' {
  if (error instanceof Fault) {
    return 'refused';
  }
  throw error;
}

const LOCK = `select selection, change, reached, created_at as "createdAt"
  from contact_bulk_changes
  where sub_account_id = $1 and id = $2 and status = 'running' for update`;

const ADVANCE = `update contact_bulk_changes
  set status = case when $3 then 'done' else status end, reached = coalesce($4::uuid, reached),
    processed = processed + $5, changed = changed + $6, refused = refused + $7, updated_at = $8
  where sub_account_id = $1 and id = $2`;

interface LockedContact extends WritableFields {
  readonly id: string;
}

const MEMBERS = ['id', ...WRITABLE_FIELDS]
  .map((name) => `c.${snakeCase(name)} as "${name}"`)
  .join(', ');

/** Locks in the order of the ids, like merges and imports. Contacts that came later are left out. */
function lockNext(
  { rows, subAccountId }: Work,
  { selection, reached, createdAt }: BulkChangeRow,
): Promise<LockedContact[]> {
  const values: unknown[] = [subAccountId, createdAt];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = selectionConditions(selection, bind);
  const after = reached === null ? '' : `and c.id > ${bind(reached)}::uuid`;
  return rows<LockedContact>(
    `select ${MEMBERS} from contacts c
     where ${conditions.join(' and ')} and c.created_at <= $2::timestamptz ${after}
     order by c.id limit ${BATCH} for update`,
    values,
  );
}

/** Tags are compared ignoring case. Those to add are added after those to remove are gone. */
function patchOf(
  contact: LockedContact,
  { addTags = [], removeTags = [], assignedTo }: BulkChange,
): ContactPatch {
  const removed = new Set(removeTags.map((tag) => tag.trim().toLowerCase()));
  const kept = contact.tags.filter((tag) => !removed.has(tag.toLowerCase()));
  return { tags: [...kept, ...addTags], ...(assignedTo !== undefined && { assignedTo }) };
}
