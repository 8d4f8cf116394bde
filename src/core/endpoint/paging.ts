import { Type } from 'typebox';
import { oneOf } from '../schema/schema.ts';

/**
 * How a list has pages: of `limit` records, with `pageQuery`; endless, with `feedQuery`; or as many records
 * as fit, with a `cursor` only, for a list that was complete before it could become large.
 */
export type Paging = true | 'feed' | 'size';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 100;

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT }));
const CURSOR = { minLength: 1, maxLength: 1_000 };

/** The query parameters of every paged list. */
export const pageQuery = { limit, cursor: Type.Optional(Type.String(CURSOR)) };

/** The query parameters of every feed: oldest first and endless; its cursors never expire. */
export const feedQuery = {
  limit,
  after: Type.Optional(
    Type.String({ ...CURSOR, description: 'the cursor of the previous page; it never expires' }),
  ),
  start: Type.Optional(
    oneOf(['oldest', 'latest'], {
      default: 'oldest',
      description: 'where to start; for the first page only',
    }),
  ),
};

export const pageSize = ({ limit }: { readonly limit?: number }): number => limit ?? PAGE_DEFAULT;
