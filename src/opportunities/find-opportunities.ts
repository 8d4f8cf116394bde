import { Type, type Static } from 'typebox';
import { pageQuery, pageSize, type Reply } from '#kit/endpoint.ts';
import { pageWithTotal, readPage } from '#kit/record.ts';
import * as s from '#kit/schema.ts';
import type { View } from '#kit/work.ts';
import { OPPORTUNITY_STATUSES } from './opportunity.shape.ts';
import { opportunityRecord } from './read-opportunity.ts';

const SEARCH_MIN = 2;
const SEARCH_MAX = 100;

export const opportunityQuery = s.strict({
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
type OpportunityQuery = Static<typeof opportunityQuery>;

/** Newest first. `total` counts every match; without filters it is the sum of a few tallies. */
export async function findOpportunities(
  view: View,
  query: OpportunityQuery,
  after: string | undefined,
): Promise<Reply> {
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const filters = filtersOf(query, bind);
  const size = pageSize(query);
  const rest = after === undefined ? '' : `and id < ${bind(after)}::uuid`;
  const window = `${rest} order by id desc limit ${size + 1}`;
  const text = query.search === undefined ? listing(filters, window) : searching(filters, window);
  const { data, total, next } = readPage(opportunityRecord, await view.texts(text, values), size);
  return { data, meta: { total }, next };
}

function filtersOf(query: OpportunityQuery, bind: (value: unknown) => string): string[] {
  const { pipelineId, stageId, contactId, status, assignedTo, search, tags, updatedAfter } = query;
  const filters: (string | false)[] = [
    pipelineId !== undefined && `o.pipeline_id = ${bind(pipelineId)}::uuid`,
    stageId !== undefined && `o.stage_id = ${bind(stageId)}::uuid`,
    contactId !== undefined && `o.contact_id = ${bind(contactId)}::uuid`,
    status !== undefined && `o.status = ${bind(status)}`,
    assignedTo !== undefined && `o.assigned_to = ${bind(assignedTo)}::uuid`,
    // The select: worked out once, where a general plan would do it for each row that it looks at.
    search !== undefined && `o.search_text like (select containing(${bind(search.trim())}))`,
    tags !== undefined && `o.tag_keys <> '{}' and o.tag_keys @> fold_tags(${bind(tags)}::text[])`,
    updatedAfter !== undefined && `o.updated_at > ${bind(new Date(updatedAfter))}::timestamptz`,
  ];
  return filters.filter((filter) => filter !== false);
}

const LIVE = 'o.sub_account_id = $1 and o.deleted_at is null';

const TALLY = `select coalesce(sum(difference), 0)::int8 from tallies
  where sub_account_id = $1 and noun = 'opportunities'`;

const listing = (filters: readonly string[], window: string) => {
  const condition = [LIVE, ...filters].join(' and ');
  const total =
    filters.length === 0 ? TALLY : `select count(*) from opportunities o where ${condition}`;
  const records = `select ${opportunityRecord.members} from opportunities o where ${condition} ${window}`;
  return pageWithTotal(total, records);
};

/** First every matching id, then the newest of them, for the reason that a list of contacts has. */
const searching = (filters: readonly string[], window: string) => {
  const newest = `select id from hits where true ${window}`;
  const records = `select ${opportunityRecord.members} from (${newest}) as newest
    join opportunities o on o.sub_account_id = $1 and o.id = newest.id`;
  return `with hits as materialized (
      select o.id from opportunities o where ${[LIVE, ...filters].join(' and ')}
    ) ${pageWithTotal('select count(*) from hits', records)}`;
};
