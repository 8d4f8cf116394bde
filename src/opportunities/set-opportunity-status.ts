import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import { announceUpdate } from './announce-update.ts';
import { lockOpportunity, type LiveOpportunity } from './lock-opportunity.ts';
import type { StatusChange } from './opportunity.schema.ts';

/** The opportunity as it is then, and what of it is different. */
export interface StatusOutcome {
  readonly opportunity: LiveOpportunity;
  readonly changedFields: readonly string[];
}

/**
 * Any status may follow any other; fires `opportunity.updated` alone (spec "Events", rule 2), and
 * nothing where all stays the same. A reason left out stays while the status stays lost.
 */
export async function setOpportunityStatus(
  work: Work,
  id: string,
  { status, lostReason }: StatusChange,
): Promise<StatusOutcome> {
  const opportunity = await lockOpportunity(work, id);
  if (typeof lostReason === 'string' && status !== 'lost') {
    throw invalidField('/lostReason', 'goes with the status lost alone');
  }
  const before = { status: opportunity.status, lostReason: opportunity.lostReason ?? null };
  // Left out, it stays as it was; it was none unless the status was lost.
  const reason = lostReason === undefined ? before.lostReason : lostReason;
  const after = { status, lostReason: status === 'lost' ? reason : null };
  const changedFields = STATUS_FIELDS.filter((field) => before[field] !== after[field]);
  if (changedFields.length > 0) {
    Object.assign(opportunity, after);
    if (before.status !== status) {
      opportunity.closedAt = status === 'open' ? null : work.now.getTime();
    }
    await announceUpdate(work, opportunity, changedFields);
  }
  return { opportunity, changedFields };
}

/** `closedAt` follows from them. */
const STATUS_FIELDS = ['status', 'lostReason'] as const;
