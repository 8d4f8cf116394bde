import { pageQuery, pageSize } from '#core/endpoint/paging.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Type, type Static } from 'typebox';
import { recordSchema } from '#core/schema/record.ts';
import { pageWithTotal, readPage } from '#platform/database/pages.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { serviceTypeSchema } from './service-type.schema.ts';

const SEARCH_MAX = 100;

export const serviceTypeQuery = s.request({
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: SEARCH_MAX,
      description: 'substring of the name, ignoring case; % and _ are ordinary characters',
    }),
  ),
  limit: pageQuery.limit,
});

/** Returns the services on sale, newest first, without a cursor (spec "Conversational booking"). */
export async function findServiceTypes(
  view: View,
  query: Static<typeof serviceTypeQuery>,
): Promise<Reply> {
  const { search = null } = query;
  const limit = pageSize(query);
  const page = await view.wirePage(PAGE, [view.subAccountId, search, limit + 1], limit);
  const { data, total, next } = await readPage(view, serviceTypeRecord, page);
  return { data, meta: { total, hasMore: next !== null, limit, search } };
}

const serviceTypeRecord = recordSchema(serviceTypeSchema, 't');

const ON_SALE = `service_types t where t.sub_account_id = $1 and t.on_sale
  and ($2::text is null or strpos(lower(t.name), lower($2)) > 0)`;

const PAGE = pageWithTotal(
  `select count(*) from ${ON_SALE}`,
  `select ${serviceTypeRecord.members} from ${ON_SALE} order by t.id desc limit $3`,
);
