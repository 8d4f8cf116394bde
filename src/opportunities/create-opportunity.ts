import { insertInto } from '#core/schema/columns.ts';
import { invalidField, invalid, type Issue } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Json } from '#core/schema/json.ts';
import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../accounts/team/refuse-unknown-assignee.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { dedupeTags } from '../contacts/contact-change.ts';
import { mergedFreeFields, opportunityRecord } from './opportunity.store.ts';
import { opportunityCreated } from './opportunity.events.ts';
import { WRITABLE_FIELDS, type OpportunityCreate } from './opportunity.schema.ts';

export interface Created {
  readonly id: string;
  /** Returns the opportunity as endpoints show it; throws before the work is committed. */
  readonly record: () => Json;
}

/** Creates an open opportunity. */
export async function createOpportunity(work: Work, input: OpportunityCreate): Promise<Created> {
  const { subAccountId, now } = work;
  const { stageId, currency } = await findPlace(work, input);
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
  refuseUnknownStage(work);
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

/** Refuses an unknown stage, also a stage that a manifest removes at the same time. */
export function refuseUnknownStage(work: Work): void {
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

interface PlaceInput {
  readonly contactId: string;
  readonly pipelineId: string;
  readonly stageId?: string | undefined;
}

interface PlaceRow {
  readonly hasContact: boolean;
  readonly hasPipeline: boolean;
  readonly stageId: string | null;
  readonly currency: string;
}

/** The stage of a new opportunity, and its default currency. */
interface Place {
  readonly stageId: string;
  readonly currency: string;
}

/**
 * Finds the stage (by default the pipeline's first) and locks the contact against merging and
 * deletion. Throws one fault that lists every unknown id.
 */
async function findPlace(
  work: Work,
  { contactId, pipelineId, stageId }: PlaceInput,
): Promise<Place> {
  const [found] = await work.rows<PlaceRow>(PLACE, [
    work.subAccountId,
    contactId,
    pipelineId,
    stageId ?? null,
  ]);
  if (found?.hasContact && found.stageId) {
    return { stageId: found.stageId, currency: found.currency };
  }
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ in: 'body', path, message });
  if (!found?.hasContact) {
    refuse('/contactId', 'is not a contact of this sub-account');
  }
  if (!found?.hasPipeline) {
    refuse('/pipelineId', 'is not a pipeline of this sub-account');
  } else if (!found.stageId && stageId === undefined) {
    refuse('/pipelineId', 'has no stages');
  } else if (!found.stageId) {
    refuse('/stageId', 'is not a stage of this pipeline');
  }
  throw invalid(issues);
}

/** Each table names the sub-account: Citus sends a statement that locks in a join to a node only then. */
const PLACE = `select c.id is not null as "hasContact", p.id is not null as "hasPipeline",
    s.id as "stageId", a.currency
  from sub_accounts a
  left join lateral (
    select id from contacts where sub_account_id = $1 and id = $2 and deleted_at is null
    for key share
  ) c on true
  left join pipelines p on p.sub_account_id = $1 and p.id = $3
  left join lateral (
    select id from pipeline_stages
    where sub_account_id = $1 and pipeline_id = p.id and ($4::uuid is null or id = $4)
    order by position, id limit 1
  ) s on true
  where a.id = $1`;
