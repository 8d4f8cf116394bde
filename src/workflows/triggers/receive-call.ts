import type { Work } from '#core/work.ts';
import { findListener } from './listeners.ts';
import { fits } from '../definition/conditions.ts';
import type { VerifiedCall, Once } from './verify-call.ts';
import { signalRuns } from './signal-runs.ts';
import { startFirstRun, startRuns } from './start-runs.ts';
import { INBOUND, type EventBody, type TriggerBody } from '../definition/workflow.schema.ts';
import { invalidField, notFound } from '#core/fault.ts';
import { createMinimalContact } from '../../contacts/create-minimal-contact.ts';
import { lockCurrentContacts } from '../../contacts/contact.store.ts';
import { lockContactByEmail } from '../../contacts/find-by-email.ts';

/** Begins a run for the contact of a call; answers how many begun. */
export async function receiveTrigger(
  work: Work,
  { workflowId, body, once }: VerifiedCall<TriggerBody>,
): Promise<number> {
  if (!(await countOnce(work, once))) {
    return 0;
  }
  const listener = await findListener(work, workflowId);
  const data = body.customData ?? {};
  const inbound = listener?.triggers.filter(({ on }) => on === INBOUND) ?? [];
  const mayCreate = inbound.every(({ createContact = true }) => createContact);
  const contact = await contactOfCall(work, body, mayCreate && listener?.createContact === true);
  if (!listener || !inbound.some(({ where }) => fits(where, data))) {
    return 0;
  }
  const { slug, versionId, reenter } = listener;
  const of = { workflowId, slug, versionId, reenter, contactId: contact.id, data };
  const start = { ...of, trigger: INBOUND, depth: 0, sincePosition: null };
  const begun = contact.isNew ? [startFirstRun(work, start)] : await startRuns(work, [start]);
  begun.forEach((id) => work.audit(id));
  return begun.length;
}

/** Tells the workflow's runs of an event; answers how many stood at a goal that it is. */
export async function receiveEvent(
  work: Work,
  { workflowId, body, once }: VerifiedCall<EventBody>,
): Promise<number> {
  if (!(await countOnce(work, once))) {
    return 0;
  }
  const { eventType: name, contactId } = body;
  const about = contactId ? await requireContact(work, contactId) : null;
  const happened = { name, contactId: about, occurredAt: work.now, position: null };
  return signalRuns(work, [happened], workflowId);
}

/** False where the very call was taken in before. */
async function countOnce(
  work: Work,
  { ids: [id, ...others], isKept, expiresAt }: Once,
): Promise<boolean> {
  const { subAccountId, now } = work;
  if (!isKept) {
    return (await work.rows(KNOWN, [subAccountId, id, now])).length === 0;
  }
  work.write(PRUNE, [subAccountId, now]);
  const [kept] = await work.rows(KEEP, [subAccountId, id, expiresAt, now]);
  if (kept && others.length > 0) {
    await work.rows(KEEP, [subAccountId, others[0], expiresAt, now]);
  }
  return kept !== undefined;
}

const KNOWN = `select id from workflow_calls
  where sub_account_id = $1 and id = $2 and expires_at > $3`;

/** One that has expired counts as new. */
const KEEP = `insert into workflow_calls as c (sub_account_id, id, expires_at) values ($1, $2, $3)
  on conflict (sub_account_id, id) do update set expires_at = excluded.expires_at
  where c.expires_at <= $4
  returning id`;

/** Not those of a minute ago, which this work may be writing anew. */
const PRUNE = `delete from workflow_calls
  where sub_account_id = $1 and expires_at < $2::timestamptz - interval '1 hour'`;

interface Called {
  readonly id: string;
  /** He is written when the work is done. */
  readonly isNew: boolean;
}

/**
 * Whom a call is about: by id, else by email. Somebody unknown becomes a contact, of whom only the
 * email is known, unless that is not wanted; then he is NOT_FOUND, as an unknown id is.
 */
async function contactOfCall(
  work: Work,
  { contactId, email }: TriggerBody,
  mayCreate: boolean,
): Promise<Called> {
  if (contactId) {
    return { id: await requireContact(work, contactId), isNew: false };
  }
  if (!email) {
    throw invalidField('', 'needs contactId or email');
  }
  const known = await lockContactByEmail(work, email, 'key share');
  if (known) {
    return { id: known.contactId, isNew: false };
  }
  if (!mayCreate) {
    throw notFound('contact');
  }
  const stranger = { address: email, email, source: 'workflow' };
  return { id: (await createMinimalContact(work, stranger)).contactId, isNew: true };
}

/** The live contact of an id, also where it was merged into another one since; throws NOT_FOUND. */
async function requireContact(work: Work, id: string): Promise<string> {
  const current = (await lockCurrentContacts(work, [id])).get(id);
  if (current === undefined) {
    throw notFound('contact');
  }
  return current;
}
