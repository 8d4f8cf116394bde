import { memberRole } from '#core/endpoint/console-endpoint.ts';
import { isoText } from '#core/schema/columns.ts';
import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { fits } from '../../workflows/definition/conditions.ts';
import type {
  FormerTriggers,
  RUN_STATUSES,
  Trigger,
} from '../../workflows/definition/workflow.schema.ts';
import { triggersAt } from '../../workflows/triggers/listeners.ts';
import { findEvent, type StoredEvent } from './find-event.ts';
import type { WhyLanguage } from './language.ts';
import { because, happened, type Reason, type WhyKind } from './why.ts';

interface WorkflowRow {
  readonly id: string;
  readonly active: boolean;
  readonly reenter: boolean;
  readonly triggers: readonly Trigger[];
  readonly formerTriggers: readonly FormerTriggers[];
  readonly sincePosition: number;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly readTo: number | null;
}

interface RunRow {
  readonly id: string;
  readonly status: (typeof RUN_STATUSES)[number];
  readonly error: string | null;
  readonly createdAt: string;
}

/** An event that did not start a run. */
export const whyTrigger: WhyKind = {
  kind: 'trigger',
  summary: 'an event that did not start a workflow',
  access: memberRole('admin'),
  needs: [['workflow', 'eventId']],
  async explain(view, { workflow: slug, eventId }, language) {
    const [workflow] = await view.rows<WorkflowRow>(WORKFLOW, [view.subAccountId, slug]);
    if (!workflow) {
      throw notFound('workflow');
    }
    const event = await findEvent(view, eventId);
    const [run] = await view.rows<RunRow>(RUN, [view.subAccountId, workflow.id, event.position]);
    if (run) {
      return explainRun(run, language);
    }
    const { changedSince: sentence } = language.messages.trigger;
    const record = { type: 'event', id: event.id };
    const changed = { rule: 'changed_since', sentence, record, at: event.occurredAt };
    return because((await notStarted(view, workflow, event, language)) ?? changed);
  },
};

/** A run records an event that was skipped, too. */
function explainRun({ id, error, createdAt: at, status }: RunRow, { messages }: WhyLanguage) {
  const { skipped, loop, tooOften, statuses } = messages.trigger;
  const record = { type: 'run', id };
  const [, reason] = /^event skipped: (.*)$/s.exec(error ?? '') ?? [];
  if (reason !== undefined) {
    return because({ rule: 'skipped', sentence: skipped(reason), record, at });
  }
  if (error?.startsWith('workflows start each other too often') === true) {
    return because({ rule: 'skipped', sentence: tooOften, record, at });
  }
  return error?.startsWith('workflows start each other') === true
    ? because({ rule: 'skipped', sentence: loop, record, at })
    : happened({ rule: 'started', sentence: statuses[status], record, at });
}

/** Decides again with the definition of this moment: the first reason that applies. */
async function notStarted(
  view: View,
  workflow: WorkflowRow,
  event: StoredEvent,
  language: WhyLanguage,
): Promise<Reason | undefined> {
  const texts = language.messages.trigger;
  const record = { type: 'workflow', id: workflow.id };
  const { active, deletedAt, updatedAt, sincePosition, readTo } = workflow;
  const reason = (rule: string, sentence: string, at: string): Reason => {
    return { rule, sentence, record, at };
  };
  if (!active || deletedAt !== null) {
    return reason('inactive', texts.inactive, deletedAt ?? updatedAt);
  }
  const triggers = triggersAt(workflow, event.position ?? Infinity);
  const named = triggers.filter(({ on }) => on === event.name);
  if (named.length === 0) {
    return reason('no_trigger', texts.noTrigger(event.name), updatedAt);
  }
  const data = { contactId: event.contactId, ...event.data };
  if (!named.some(({ where }) => fits(where, data))) {
    const filters = named.map(({ where }) => JSON.stringify(where));
    return reason('filter', texts.doesNotFit(filters), event.occurredAt);
  }
  if (event.position !== null && event.position <= sincePosition) {
    return reason('before_activation', texts.beforeActivation, event.occurredAt);
  }
  if (event.position === null || event.position > (readTo ?? 0)) {
    return reason('waiting', texts.waits, event.occurredAt);
  }
  return contactReason(view, workflow, event, language);
}

async function contactReason(
  view: View,
  { id, reenter }: WorkflowRow,
  { contactId, occurredAt }: StoredEvent,
  { messages: { trigger: texts } }: WhyLanguage,
): Promise<Reason | undefined> {
  const values = [view.subAccountId, contactId];
  const [contact] = await view.rows<{ deletedAt: string | null }>(CONTACT, values);
  if (contact && contact.deletedAt !== null) {
    const record = { type: 'contact', id: contactId ?? '' };
    const sentence = texts.contactDeleted;
    return { rule: 'contact_deleted', sentence, record, at: contact.deletedAt };
  }
  const [other] = reenter
    ? []
    : await view.rows<RunRow>(UNFINISHED, [view.subAccountId, id, contactId, occurredAt]);
  return other
    ? {
        rule: 'already_running',
        sentence: texts.alreadyRunning,
        record: { type: 'run', id: other.id },
        at: other.createdAt,
      }
    : undefined;
}

const WORKFLOW = `select w.id, w.active, w.reenter, w.triggers,
    w.former_triggers as "formerTriggers", w.since_position as "sincePosition",
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
