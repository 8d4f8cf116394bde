import { Type, type Static } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { pageQuery } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { findLive, type ListCall, isLike } from '#platform/database/live-records.ts';
import { normalised } from './claim-addresses.ts';
import { LIFECYCLE_STAGES } from './contact.schema.ts';
import { liveContacts } from './contact.store.ts';
import { isLiveByPhone } from './find-by-phone.ts';
import { searchContacts } from './search-contacts.ts';

const SEARCH_MIN = 2;
const SEARCH_MAX = 100;

/** What a list of contacts can be narrowed to. */
const filterFields = {
  search: Type.Optional(
    Type.String({ format: 'search', minLength: SEARCH_MIN, maxLength: SEARCH_MAX }),
  ),
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
  phone: Type.Optional(s.phone()),
  lifecycleStage: Type.Optional(s.oneOf(LIFECYCLE_STAGES)),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  tags: Type.Optional(Type.Array(s.shortText(), { minItems: 1, maxItems: 20 })),
  assignedTo: Type.Optional(s.uuid()),
  hasPhone: Type.Optional(Type.Boolean()),
};

export const contactFilter = s.request(filterFields);
export type ContactFilter = Static<typeof contactFilter>;

export const contactQuery = s.request({ ...pageQuery, ...filterFields });
export type ContactQuery = Static<typeof contactQuery>;

export function findContacts({ view, query, after }: ListCall<ContactQuery>): Promise<Reply> {
  const { search } = query;
  if (search !== undefined && isOnlySearch(query)) {
    return searchContacts(view, { query, search, after });
  }
  return findLive(view, liveContacts, {
    query,
    after,
    isSearch: query.search !== undefined,
    filters: (bind) => contactConditions(query, bind),
  });
}

const isOnlySearch = ({
  limit: _limit,
  cursor: _cursor,
  search: _search,
  ...others
}: ContactQuery) => Object.values(others).every((value) => value === undefined);

/**
 * Returns SQL conditions on contact `c` of sub-account `$1`, or false; `bind` returns the placeholder of
 * a value.
 */
export function contactConditions(
  { search, email, phone, lifecycleStage, source, tags, assignedTo, hasPhone }: ContactFilter,
  bind: (value: unknown) => string,
): readonly (string | false)[] {
  const phoneless = `c.phone is null and c.additional_phones = '{}'`;
  return [
    search !== undefined && isLike('c.search_text', search, bind),
    email !== undefined && ownerOf(bind(normalised(email))),
    phone !== undefined && isLiveByPhone('c.id', bind(phone)),
    lifecycleStage !== undefined && `c.lifecycle_stage = ${bind(lifecycleStage)}`,
    source !== undefined && `c.source = ${bind(source)}`,
    tags !== undefined && `c.tag_keys <> '{}' and c.tag_keys @> fold_tags(${bind(tags)}::text[])`,
    assignedTo !== undefined && `c.assigned_to = ${bind(assignedTo)}::uuid`,
    hasPhone !== undefined && (hasPhone ? `not (${phoneless})` : phoneless),
  ];
}

const ownerOf = (email: string) => `c.id = (
  select e.contact_id from contact_emails e where e.sub_account_id = $1 and e.email = ${email})`;
