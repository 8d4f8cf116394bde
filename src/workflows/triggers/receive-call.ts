import type { Work } from '#core/work.ts';
import { contactOfCall, requireContact } from './call-contact.ts';
import { countOnce } from './count-once.ts';
import { findListener } from './find-listeners.ts';
import { fits } from '../definition/matches.ts';
import type { VerifiedCall } from './verify-call.ts';
import { signalRuns } from './signal-runs.ts';
import { startFirstRun, startRuns } from './start-runs.ts';
import { INBOUND, type EventBody, type TriggerBody } from '../definition/workflow.schema.ts';

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
