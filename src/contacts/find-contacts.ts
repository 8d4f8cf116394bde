import { Type, type Static } from 'typebox';
import { pageQuery, pageSize, type Reply } from '#kit/endpoint.ts';
import { pageWithTotal, readPage } from '#kit/record.ts';
import * as s from '#kit/schema.ts';
import type { View } from '#kit/work.ts';
import { normalised } from './addresses.ts';
import { LIFECYCLE_STAGES } from './contact.shape.ts';
import { listedContact } from './read-contact.ts';

const SEARCH_MIN = 2;
const SEARCH_MAX = 100;

export const contactQuery = s.strict({
  ...pageQuery,
  search: Type.Optional(
    Type.String({ format: 'search', minLength: SEARCH_MIN, maxLength: SEARCH_MAX }),
  ),
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
  lifecycleStage: Type.Optional(s.oneOf(LIFECYCLE_STAGES)),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  tags: Type.Optional(Type.Array(s.shortText(), { minItems: 1, maxItems: 20 })),
  assignedTo: Type.Optional(s.uuid()),
  hasPhone: Type.Optional(Type.Boolean()),
});
export type ContactQuery = Static<typeof contactQuery>;

/** Newest first. `total` counts every match; without filters it is the sum of a few tallies. */
export async function findContacts(
  view: View,
  query: ContactQuery,
  after: string | undefined,
): Promise<Reply> {
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const filters = filtersOf(query, bind);
  const size = pageSize(query);
  const window = windowOf(size, after === undefined ? undefined : bind(after));
  const text = query.search === undefined ? listing(filters, window) : searching(filters, window);
  const { data, total, next } = readPage(listedContact, await view.texts(text, values), size);
  return { data, meta: { total }, next };
}

/**
 * Which rows of the order a page wants. Sizes stand in the text and the first page has a text of
 * its own: with a parameter for either, PostgreSQL plans the statement anew at every call.
 */
interface Window {
  readonly after: string;
  readonly limit: string;
}

const windowOf = (size: number, after: string | undefined): Window => ({
  after: after === undefined ? '' : `and id < ${after}::uuid`,
  limit: `order by id desc limit ${size + 1}`,
});

function filtersOf(query: ContactQuery, bind: (value: unknown) => string): string[] {
  const { search, email, lifecycleStage, source, tags, assignedTo, hasPhone } = query;
  const phoneless = `c.phone is null and c.additional_phones = '{}'`;
  const filters: (string | false)[] = [
    search !== undefined && `c.search_text like (select containing(${bind(search.trim())}))`,
    email !== undefined && holderOf(bind(normalised(email))),
    lifecycleStage !== undefined && `c.lifecycle_stage = ${bind(lifecycleStage)}`,
    source !== undefined && `c.source = ${bind(source)}`,
    tags !== undefined && `c.tag_keys <> '{}' and c.tag_keys @> fold_tags(${bind(tags)}::text[])`,
    assignedTo !== undefined && `c.assigned_to = ${bind(assignedTo)}::uuid`,
    hasPhone !== undefined && (hasPhone ? `not (${phoneless})` : phoneless),
  ];
  return filters.filter((filter) => filter !== false);
}

const holderOf = (email: string) => `c.id = (
  select e.contact_id from contact_emails e where e.sub_account_id = $1 and e.email = ${email})`;

const LIVE = 'c.sub_account_id = $1 and c.deleted_at is null';

const TALLY = `select coalesce(sum(difference), 0)::int8 from tallies
  where sub_account_id = $1 and noun = 'contacts'`;

const listing = (filters: readonly string[], { after, limit }: Window) => {
  const condition = [LIVE, ...filters].join(' and ');
  const total = filters.length === 0 ? TALLY : `select count(*) from contacts c where ${condition}`;
  const records = `select ${listedContact.members} from contacts c where ${condition} ${after} ${limit}`;
  return pageWithTotal(total, records);
};

/**
 * First every matching id, then the newest of them: with a limit in sight the planner would walk
 * the list and test row after row, which takes a second where the word is rare.
 */
const searching = (filters: readonly string[], { after, limit }: Window) => {
  const newest = `select id from hits where true ${after} ${limit}`;
  const records = `select ${listedContact.members} from (${newest}) as newest
    join contacts c on c.sub_account_id = $1 and c.id = newest.id`;
  return `with hits as materialized (
      select c.id from contacts c where ${[LIVE, ...filters].join(' and ')}
    ) ${pageWithTotal('select count(*) from hits', records)}`;
};
