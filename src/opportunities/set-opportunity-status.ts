import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { opportunityLost, opportunityWon } from './opportunity.events.ts';
import type { StatusChange } from './opportunity.schema.ts';
import { invalidField } from '#core/fault.ts';
import { recordUpdate, lockOpportunity, type LiveOpportunity } from './opportunity.store.ts';

/**
 * Sets the status as an operator. Unlike the API, it emits `opportunity.won` or `opportunity.lost` in
 * addition to `opportunity.updated`.
 */
export async function markOpportunity(work: Work, id: string, change: StatusChange): Promise<void> {
  const { opportunity, changedFields } = await setOpportunityStatus(work, id, change);
  if (!changedFields.includes('status')) {
    return;
  }
  const { contactId, pipelineId, name: title, value = null, lostReason = null } = opportunity;
  const about = await aboutContact(work, contactId);
  const data = { opportunityId: id, pipelineId, title, value };
  if (change.status === 'won') {
    await work.emit(opportunityWon, { ...about, data });
  } else if (change.status === 'lost') {
    await work.emit(opportunityLost, { ...about, data: { ...data, lostReason } });
  }
}

interface StatusResult {
  readonly opportunity: LiveOpportunity;
  readonly changedFields: readonly string[];
}

/**
 * Sets the status: any may follow any other. Emits `opportunity.updated` only (spec "Events", rule 2),
 * and nothing if nothing changes. Without `lostReason`, a lost opportunity keeps its reason.
 */
export async function setOpportunityStatus(
  work: Work,
  id: string,
  { status, lostReason }: StatusChange,
): Promise<StatusResult> {
  const opportunity = await lockOpportunity(work, id);
  if (typeof lostReason === 'string' && status !== 'lost') {
    throw invalidField('/lostReason', 'is allowed only with the status lost');
  }
  const before = { status: opportunity.status, lostReason: opportunity.lostReason ?? null };
  const reason = lostReason === undefined ? before.lostReason : lostReason;
  const after = { status, lostReason: status === 'lost' ? reason : null };
  const changedFields = STATUS_FIELDS.filter((field) => before[field] !== after[field]);
  if (changedFields.length > 0) {
    Object.assign(opportunity, after);
    if (before.status !== status) {
      opportunity.closedAt = status === 'open' ? null : work.now.getTime();
    }
    await recordUpdate(work, opportunity, changedFields);
  }
  return { opportunity, changedFields };
}

const STATUS_FIELDS = ['status', 'lostReason'] as const;
