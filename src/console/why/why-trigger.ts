import { memberRole } from '#core/endpoint/console-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { fits } from '../../workflows/definition/conditions.ts';
import type { Trigger } from '../../workflows/definition/workflow.schema.ts';
import { findEvent, type StoredEvent } from './find-event.ts';
import { because, happened, type Reason, type WhyKind } from './why.ts';

interface WorkflowRow {
  readonly id: string;
  readonly active: boolean;
  readonly reenter: boolean;
  readonly triggers: readonly Trigger[];
  readonly sincePosition: number;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly readTo: number | null;
}

interface RunRow {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly createdAt: string;
}

/** An event that did not start a run. */
export const whyTrigger: WhyKind = {
  kind: 'trigger',
  summary: 'an event that did not start a workflow',
  access: memberRole('admin'),
  needs: [['workflow', 'eventId']],
  async explain(view, { workflow: slug, eventId }) {
    const [workflow] = await view.rows<WorkflowRow>(WORKFLOW, [view.subAccountId, slug]);
    if (!workflow) {
      throw notFound('workflow');
    }
    const event = await findEvent(view, eventId);
    const [run] = await view.rows<RunRow>(RUN, [view.subAccountId, workflow.id, event.position]);
    if (run) {
      const { id, error, createdAt: at, status } = run;
      const record = { type: 'run', id };
      return error !== null && /^(?:event skipped|workflows start each other)/.test(error)
        ? because({ rule: 'skipped', sentence: `${error}.`, record, at })
        : happened({ rule: 'started', sentence: `A run started; it is ${status}.`, record, at });
    }
    return because((await notStarted(view, workflow, event)) ?? unknownReason(event));
  },
};

/** Decides again with the definition of this moment: the first reason that applies. */
async function notStarted(
  view: View,
  workflow: WorkflowRow,
  event: StoredEvent,
): Promise<Reason | undefined> {
  const record = { type: 'workflow', id: workflow.id };
  const { active, deletedAt, updatedAt, triggers, sincePosition, readTo } = workflow;
  const reason = (rule: string, sentence: string, at: string): Reason => {
    return { rule, sentence, record, at };
  };
  if (!active || deletedAt !== null) {
    return reason('inactive', 'The workflow is not active.', deletedAt ?? updatedAt);
  }
  const named = triggers.filter(({ on }) => on === event.name);
  if (named.length === 0) {
    return reason('no_trigger', `No trigger listens to ${event.name}.`, updatedAt);
  }
  const data = { contactId: event.contactId, ...event.data };
  if (!named.some(({ where }) => fits(where, data))) {
    const filters = named.map(({ where }) => JSON.stringify(where)).join(' or ');
    return reason('filter', `The data of the event does not fit ${filters}.`, event.occurredAt);
  }
  if (event.position !== null && event.position <= sincePosition) {
    const sentence = 'The event is older than the workflow, or than its activation.';
    return reason('before_activation', sentence, event.occurredAt);
  }
  if (event.position === null || event.position > (readTo ?? 0)) {
    return reason('waiting', 'The event is not read yet.', event.occurredAt);
  }
  return contactReason(view, workflow, event);
}

async function contactReason(
  view: View,
  { id, reenter }: WorkflowRow,
  { contactId, occurredAt }: StoredEvent,
): Promise<Reason | undefined> {
  const values = [view.subAccountId, contactId];
  const [contact] = await view.rows<{ deletedAt: string | null }>(CONTACT, values);
  if (contact && contact.deletedAt !== null) {
    const record = { type: 'contact', id: contactId ?? '' };
    const sentence = 'The contact was deleted: runs are not started for it.';
    return { rule: 'contact_deleted', sentence, record, at: contact.deletedAt };
  }
  const [other] = reenter
    ? []
    : await view.rows<RunRow>(UNFINISHED, [view.subAccountId, id, contactId, occurredAt]);
  return other
    ? {
        rule: 'already_running',
        sentence: 'A run of the contact was unfinished, and the workflow does not allow reentry.',
        record: { type: 'run', id: other.id },
        at: other.createdAt,
      }
    : undefined;
}

const unknownReason = ({ id, occurredAt }: StoredEvent): Reason => ({
  rule: 'changed_since',
  sentence: 'The workflow has changed since: its present definition would start a run.',
  record: { type: 'event', id },
  at: occurredAt,
});

const WORKFLOW = `select w.id, w.active, w.reenter, w.triggers, w.since_position as "sincePosition",
    ${isoText('w.updated_at')} as "updatedAt", ${isoText('w.deleted_at')} as "deletedAt",
    r.position as "readTo"
  from workflows w left join workflow_readers r on r.sub_account_id = w.sub_account_id
  where w.sub_account_id = $1 and w.slug = $2
  order by w.deleted_at desc nulls first limit 1`;

const RUN = `select id, status, error, ${isoText('created_at')} as "createdAt" from workflow_runs
  where sub_account_id = $1 and workflow_id = $2 and since_position = $3 limit 1`;

const CONTACT = `select ${isoText('deleted_at')} as "deletedAt" from contacts
  where sub_account_id = $1 and id = $2`;

const UNFINISHED = `select id, status, error, ${isoText('created_at')} as "createdAt"
  from workflow_runs
  where sub_account_id = $1 and workflow_id = $2 and contact_id = $3
    and created_at <= $4::timestamptz + interval '1 minute'
    and (finished_at is null or finished_at > $4::timestamptz)
  order by id desc limit 1`;
