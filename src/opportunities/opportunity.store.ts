import { invalidField } from '#core/fault.ts';
import { recordSchema } from '#core/schema/record.ts';
import type { Work } from '#core/work.ts';
import { answerOf, readerOf, lockerOf } from '#platform/database/live-records.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { refuseLargeValues } from '../contacts/fields/limit-values.ts';
import { Opportunity, type FreeFields } from './opportunity.entity.ts';
import { opportunityUpdated } from './opportunity.events.ts';
import { opportunitySchema, FREE_FIELDS_MAX } from './opportunity.schema.ts';
import { moveToKept } from '../contacts/merge/move-to-kept.ts';

/** Opportunity `o` as every endpoint shows it. */
export const opportunityRecord = recordSchema(opportunitySchema, 'o');

export const liveOpportunities = {
  table: 'opportunities',
  alias: 'o',
  record: opportunityRecord,
} as const;

export const readOpportunity = readerOf('opportunity', liveOpportunities);
export const theOpportunity = answerOf(readOpportunity);

/** A live opportunity always has a stage (constraint `opportunities_live_in_a_stage`). */
export type LiveOpportunity = Opportunity & {
  readonly pipelineId: string;
  stageId: string;
};

const lock = lockerOf<Opportunity>('opportunity', Opportunity);

/** Returns the live opportunity, locked against every other writer. Throws `NOT_FOUND`. */
export const lockOpportunity = async (work: Work, id: string): Promise<LiveOpportunity> =>
  (await lock(work, id)) as LiveOpportunity;

/** Completes the update of a locked opportunity: its date, the audit row and the event. */
export async function recordUpdate(
  work: Work,
  opportunity: LiveOpportunity,
  changedFields: readonly string[],
): Promise<void> {
  const { id, contactId, pipelineId, name, value = null, status } = opportunity;
  opportunity.updatedAt = work.now;
  work.audit(id);
  await work.emit(opportunityUpdated, {
    ...(await aboutContact(work, contactId)),
    data: { opportunityId: id, pipelineId, name, value, status, changedFields: [...changedFields] },
  });
}

type FreeFieldsInput =
  | Readonly<Record<string, string | number | boolean | null>>
  | null
  | undefined;

/**
 * Merges by key: null clears a value, and null for the whole clears all. Throws for too many values, or
 * if they would become too large together.
 */
export function mergedFreeFields(stored: FreeFields, input: FreeFieldsInput): FreeFields {
  if (input === undefined) {
    return stored;
  }
  const values = new Map(input === null ? [] : Object.entries(stored));
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === null) {
      values.delete(name);
    } else {
      values.set(name, value);
    }
  }
  if (values.size > FREE_FIELDS_MAX) {
    throw invalidField(
      '/customFields',
      `would have ${values.size} fields after merging; at most ${FREE_FIELDS_MAX} are allowed`,
    );
  }
  const merged = Object.fromEntries(values);
  refuseLargeValues(stored, merged);
  return merged;
}

/** Moves the opportunities of a merged contact to the kept one, without events. */
export const moveOpportunitiesOfContact = moveToKept({
  table: 'opportunities',
  isDated: true,
  only: 'deleted_at is null',
});
