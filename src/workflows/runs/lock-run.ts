import type { Work } from '#core/work.ts';
import type { Contact } from '../../contacts/contact.entity.ts';
import { lockContact } from '../../contacts/contact.store.ts';
import type { Place } from '../definition/places.ts';
import type { Step } from '../definition/workflow.schema.ts';

/** A run that is not over, held until the work is done. */
export interface Run {
  readonly id: string;
  readonly workflowId: string;
  readonly slug: string;
  readonly contactId: string | null;
  readonly status: 'running' | 'waiting';
  readonly place: Place;
  readonly dueAt: Date | null;
  readonly waitingFor: string | null;
  readonly attempts: number;
  readonly depth: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  /** Of the sub-account. */
  readonly timezone: string;
}

export interface LockedRun {
  readonly run: Run;
  readonly contact: Contact | undefined;
}

/**
 * Holds a run and, before it, its contact: who deletes or merges a contact comes in that order, too.
 * Undefined where the run is over, or its sub-account is.
 */
export async function lockRun(work: Work, runId: string): Promise<LockedRun | undefined> {
  for (;;) {
    const [seen] = await work.rows<{ contactId: string | null }>(SEE, [work.subAccountId, runId]);
    if (!seen) {
      return undefined;
    }
    const contact = seen.contactId === null ? undefined : await lockContact(work, seen.contactId);
    const [run] = await work.rows<Run>(LOCK_RUN, [work.subAccountId, runId]);
    if (!run) {
      return undefined;
    }
    if (run.contactId === seen.contactId) {
      return { run, contact };
    }
    // Its contact became part of another a moment ago.
  }
}

const SEE = `select r.contact_id as "contactId" from workflow_runs r
  join sub_accounts s on s.id = r.sub_account_id and s.deleted_at is null
  where r.sub_account_id = $1 and r.id = $2 and r.finished_at is null`;

const LOCK_RUN = `select r.id, r.workflow_id as "workflowId", w.slug, r.contact_id as "contactId",
    r.status, r.place, r.due_at as "dueAt", r.waiting_for as "waitingFor", r.attempts, r.depth,
    r.data, v.steps, s.timezone
  from workflow_runs r
  join workflows w on w.sub_account_id = r.sub_account_id and w.id = r.workflow_id
  join workflow_versions v on v.sub_account_id = r.sub_account_id and v.id = r.version_id
  join sub_accounts s on s.id = r.sub_account_id
  where r.sub_account_id = $1 and r.id = $2 and r.finished_at is null
  for no key update of r`;
