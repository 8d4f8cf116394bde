import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { pageQuery } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import {
  findLive,
  type ListCall,
  isLike,
  type LiveRecords,
} from '#platform/database/live-records.ts';
import { OPPORTUNITY_STATUSES } from './opportunity.schema.ts';
import { liveOpportunities } from './opportunity.store.ts';

const SEARCH_MIN = 2;
const SEARCH_MAX = 100;

export const opportunityQuery = s.request({
  ...pageQuery,
  pipelineId: Type.Optional(s.uuid()),
  stageId: Type.Optional(s.uuid()),
  contactId: Type.Optional(s.uuid()),
  status: Type.Optional(s.oneOf(OPPORTUNITY_STATUSES)),
  assignedTo: Type.Optional(s.uuid()),
  search: Type.Optional(
    Type.String({ format: 'search', minLength: SEARCH_MIN, maxLength: SEARCH_MAX }),
  ),
  tags: Type.Optional(Type.Array(s.shortText(), { minItems: 1, maxItems: 20 })),
  updatedAfter: Type.Optional(s.isoTime()),
});

export function findOpportunities(
  { view, query, after }: ListCall<Static<typeof opportunityQuery>>,
  records: LiveRecords = liveOpportunities,
): Promise<Reply> {
  const { pipelineId, stageId, contactId, status, assignedTo, search, tags, updatedAfter } = query;
  return findLive(view, records, {
    query,
    after,
    isSearch: search !== undefined,
    filters: (bind) => [
      pipelineId !== undefined && `o.pipeline_id = ${bind(pipelineId)}::uuid`,
      stageId !== undefined && `o.stage_id = ${bind(stageId)}::uuid`,
      contactId !== undefined && `o.contact_id = ${bind(contactId)}::uuid`,
      status !== undefined && `o.status = ${bind(status)}`,
      assignedTo !== undefined && `o.assigned_to = ${bind(assignedTo)}::uuid`,
      search !== undefined && isLike('o.search_text', search, bind),
      tags !== undefined && `o.tag_keys <> '{}' and o.tag_keys @> fold_tags(${bind(tags)}::text[])`,
      updatedAfter !== undefined && `o.updated_at > ${bind(new Date(updatedAfter))}::timestamptz`,
    ],
  });
}
