import type { KeyObject } from 'node:crypto';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { invalid } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { openCursor, sealCursor } from '#lib/cursor.ts';

interface PageRequest {
  readonly cursor: string | undefined;
  readonly filters: object;
}

/** Opens the cursor of a request and seals the cursor of its response. Throws VALIDATION_ERROR. */
export function openPage(
  secret: KeyObject,
  { id, paged }: Pick<KeyedEndpoint, 'id' | 'paged'>,
  { subAccountId, now }: View,
  { params, query }: { readonly params: Readonly<Record<string, string>>; readonly query: object },
) {
  const isFeed = paged === 'feed';
  const { cursor, filters } = isFeed ? feedRequest(query) : listRequest(query);
  const endpoint = [id, ...Object.values(params)].join('/');
  const list = { endpoint, subAccountId, filters, isFeed };
  return {
    after: cursor === undefined ? undefined : openCursor(secret, list, cursor, now),
    sealed(reply: Reply): Reply {
      const { next = null, more: hasMore = next !== null } = reply;
      const sealed = next === null ? null : sealCursor(secret, list, next, now);
      return { ...reply, meta: { ...reply.meta, hasMore, cursor: sealed } };
    },
  };
}

function listRequest(query: { readonly cursor?: string }): PageRequest {
  const { cursor, ...filters } = { ...query, limit: undefined };
  return { cursor, filters };
}

/** `start` applies to the first page only; it is not one of the filters that a cursor is bound to. */
function feedRequest(query: { readonly after?: string; readonly start?: string }): PageRequest {
  const { after: cursor, start, ...filters } = { ...query, limit: undefined };
  if (cursor !== undefined && start !== undefined) {
    throw invalid([{ in: 'query', path: '/start', message: 'cannot be combined with after' }]);
  }
  return { cursor, filters };
}
