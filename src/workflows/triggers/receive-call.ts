import type { Work } from '#core/work.ts';
import { lockListener } from './listeners.ts';
import { fits } from '../definition/conditions.ts';
import type { VerifiedCall, Once } from './verify-call.ts';
import { FROM_OUTSIDE } from '../runs/effects.ts';
import { signalRuns } from './signal-runs.ts';
import { startFirstRun, startRuns } from './start-runs.ts';
import { INBOUND, type EventBody, type TriggerBody } from '../definition/workflow.schema.ts';
import { invalidField, notFound } from '#core/fault.ts';
import { createMinimalContact } from '../../contacts/create-minimal-contact.ts';
import { lockCurrentContacts } from '../../contacts/contact.store.ts';
import { lockContactByEmail } from '../../contacts/find-by-email.ts';

/** What a call did: how many runs started or continued, and why none did. */
export interface CallOutcome {
  readonly triggered: number;
  /** `already_running`: the contact has an unfinished run. `repeated`: the call was received before. */
  readonly skipped?: 'already_running' | 'repeated';
}

const REPEATED: CallOutcome = { triggered: 0, skipped: 'repeated' };

/** Starts a run for the contact of a call. */
export async function receiveTrigger(
  work: Work,
  { workflowId, body, once }: VerifiedCall<TriggerBody>,
): Promise<CallOutcome> {
  if (!(await countOnce(work, once))) {
    return REPEATED;
  }
  const listener = await lockListener(work, workflowId);
  const data = body.customData ?? {};
  const inbound = listener?.triggers.filter(({ on }) => on === INBOUND) ?? [];
  const mayCreate = inbound.every(({ createContact = true }) => createContact);
  const contact = await contactOfCall(work, body, mayCreate && listener?.createContact === true);
  if (!listener || !inbound.some(({ where }) => fits(where, data))) {
    return { triggered: 0 };
  }
  const { slug, versionId, reenter } = listener;
  const of = { workflowId, slug, versionId, reenter, contactId: contact.id, data };
  const start = { ...of, trigger: INBOUND, ...FROM_OUTSIDE, sincePosition: null };
  const started = contact.isNew ? [startFirstRun(work, start)] : await startRuns(work, [start]);
  started.forEach((id) => work.audit(id));
  // The contact is live and no call continues a chain, so nothing else keeps the run from starting.
  return started.length > 0
    ? { triggered: started.length }
    : { triggered: 0, skipped: 'already_running' };
}

/** Signals an event to the workflow's runs that wait for it. */
export async function receiveEvent(
  work: Work,
  { workflowId, body, once }: VerifiedCall<EventBody>,
): Promise<CallOutcome> {
  if (!(await countOnce(work, once))) {
    return REPEATED;
  }
  const { eventType: name, contactId } = body;
  const current = contactId ? await requireContact(work, contactId) : null;
  const event = { name, contactId: current, occurredAt: work.now, position: null };
  return { triggered: await signalRuns(work, [event], workflowId) };
}

/** Returns false if the same call was received before. */
async function countOnce(
  work: Work,
  { ids: [id, ...others], isStored, expiresAt }: Once,
): Promise<boolean> {
  const { subAccountId, now } = work;
  if (!isStored) {
    return (await work.rows(KNOWN, [subAccountId, id, now])).length === 0;
  }
  work.write(PRUNE, [subAccountId, now]);
  const [stored] = await work.rows(STORE, [subAccountId, id, expiresAt, now]);
  if (stored && others.length > 0) {
    await work.rows(STORE, [subAccountId, others[0], expiresAt, now]);
  }
  return stored !== undefined;
}

const KNOWN = `select id from workflow_calls
  where sub_account_id = $1 and id = $2 and expires_at > $3`;

/** An expired id counts as new. */
const STORE = `insert into workflow_calls as c (sub_account_id, id, expires_at) values ($1, $2, $3)
  on conflict (sub_account_id, id) do update set expires_at = excluded.expires_at
  where c.expires_at <= $4
  returning id`;

/** Keeps recently expired ids, which this work may store again. */
const PRUNE = `delete from workflow_calls
  where sub_account_id = $1 and expires_at < $2::timestamptz - interval '1 hour'`;

interface CallContact {
  readonly id: string;
  /** Whether this work creates the contact: its insert is deferred to the end. */
  readonly isNew: boolean;
}

/**
 * Returns the contact of a call, by id or by email. Creates a contact for an unknown email if
 * `mayCreate`. Throws `NOT_FOUND` for an unknown id, and otherwise for an unknown email.
 */
async function contactOfCall(
  work: Work,
  { contactId, email }: TriggerBody,
  mayCreate: boolean,
): Promise<CallContact> {
  if (contactId) {
    return { id: await requireContact(work, contactId), isNew: false };
  }
  if (!email) {
    throw invalidField('', 'needs a contactId or an email');
  }
  const known = await lockContactByEmail(work, email, 'key share');
  if (known) {
    return { id: known.contactId, isNew: false };
  }
  if (!mayCreate) {
    throw notFound('contact');
  }
  const input = { address: email, email, source: 'workflow' };
  return { id: (await createMinimalContact(work, input)).contactId, isNew: true };
}

/** Returns the contact of an id, or the one it was merged into. Throws `NOT_FOUND`. */
async function requireContact(work: Work, id: string): Promise<string> {
  const current = (await lockCurrentContacts(work, [id])).get(id);
  if (current === undefined) {
    throw notFound('contact');
  }
  return current;
}
