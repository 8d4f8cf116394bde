import type { KeyObject } from 'node:crypto';
import { openCursor, sealCursor } from '#lib/cursor.ts';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { invalid } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { EMPTY } from '../answer.ts';

interface PageRequest {
  /** The cursor the caller sent. */
  readonly given: string | undefined;
  readonly filters: object;
}

/** Opens the cursor a caller sent, seals the one he gets. */
export function openPage(
  secret: KeyObject,
  { id, paged }: KeyedEndpoint,
  { subAccountId, now }: View,
  { params, query }: { readonly params: Readonly<Record<string, string>>; readonly query: object },
) {
  const isFeed = paged === 'feed';
  const { given, filters } = isFeed ? askedOfFeed(query) : askedOfList(query);
  const endpoint = [id, ...Object.values(params)].join('/');
  const list = { endpoint, subAccountId, filters, isFeed };
  return {
    after: given === undefined ? undefined : openCursor(secret, list, given, now),
    sealed(reply: Reply = EMPTY): Reply {
      const { next = null, more: hasMore = next !== null } = reply;
      const cursor = next === null ? null : sealCursor(secret, list, next, now);
      return { ...reply, meta: { ...reply.meta, hasMore, cursor } };
    },
  };
}

function askedOfList(query: { readonly cursor?: string }): PageRequest {
  const { cursor: given, ...filters } = { ...query, limit: undefined };
  return { given, filters };
}

/** Where a reader began means nothing to the pages that follow. */
function askedOfFeed(query: { readonly after?: string; readonly start?: string }): PageRequest {
  const { after: given, start, ...filters } = { ...query, limit: undefined };
  if (given !== undefined && start !== undefined) {
    throw invalid([{ in: 'query', path: '/start', message: 'cannot be given along with after' }]);
  }
  return { given, filters };
}
