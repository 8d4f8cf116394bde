import { insertInto } from '#core/schema/columns.ts';
import { invalidField } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { aboutContact } from '../contacts/about-contact.ts';
import { dedupeTags } from '../contacts/rows/tags.ts';
import { mergedFreeFields } from './free-fields.ts';
import { opportunityCreated } from './opportunity.events.ts';
import { WRITABLE_FIELDS, type OpportunityCreate } from './opportunity.schema.ts';
import { placeOpportunity } from './place-opportunity.ts';
import { opportunityRecord } from './read-opportunity.ts';

export interface Created {
  readonly id: string;
  /** The opportunity as endpoints show it, once it is written. */
  readonly record: () => Json;
}

/** Creates an open opportunity and answers it from its own insert. */
export async function createOpportunity(work: Work, input: OpportunityCreate): Promise<Created> {
  const { subAccountId, now } = work;
  const { stageId, currency } = await placeOpportunity(work, input);
  const id = newId(now);
  const record = {
    ...EMPTY,
    currency,
    ...input,
    subAccountId,
    id,
    stageId,
    tags: dedupeTags([], input.tags ?? []),
    customFields: mergedFreeFields({}, input.customFields),
    createdAt: now,
    updatedAt: now,
  };
  const values = RECORD_MEMBERS.map((member) => record[member]);
  const written = work.writeRecord(INSERT_OPPORTUNITY, values, opportunityRecord);
  explainStage(work);
  refuseUnknownAssignee(work, 'opportunities');
  work.audit(id);
  const { contactId, pipelineId, name: title, value } = record;
  const data = { opportunityId: id, pipelineId, stageId, title, value };
  await work.emit(opportunityCreated, { ...(await aboutContact(work, contactId)), data });
  return { id, record: written };
}

const EMPTY = {
  value: null,
  status: 'open',
  assignedTo: null,
  source: null,
  expectedCloseDate: null,
} as const;

/** Also where the stage was there a moment ago, and its manifest is applied meanwhile. */
export function explainStage(work: Work): void {
  work.mapConstraint('opportunities_stage_fkey', () =>
    invalidField('/stageId', "is not a stage of the opportunity's pipeline"),
  );
}

const RECORD_MEMBERS = [
  'subAccountId',
  'id',
  'pipelineId',
  'stageId',
  'status',
  ...WRITABLE_FIELDS,
  'createdAt',
  'updatedAt',
] as const;

const INSERT_OPPORTUNITY = `${insertInto('opportunities as o', RECORD_MEMBERS)}
  returning ${opportunityRecord.members}`;
