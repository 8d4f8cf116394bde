import type { KeyObject } from 'node:crypto';
import { openCursor, sealCursor } from '#kit/cursor.ts';
import type { Endpoint, Reply } from '#kit/endpoint.ts';
import type { View } from '#kit/work.ts';
import { EMPTY } from './answer.ts';

/** Opens the cursor a caller sent, seals the one he gets. */
export function openPage(
  secret: KeyObject,
  { id: endpoint }: Endpoint,
  { subAccountId, now }: View,
  query: { readonly cursor?: string },
) {
  const { cursor, ...filters } = { ...query, limit: undefined };
  const list = { endpoint, subAccountId, filters };
  return {
    after: cursor === undefined ? undefined : openCursor(secret, list, cursor, now),
    sealed(reply: Reply = EMPTY): Reply {
      const place = reply.next ?? null;
      const next = place === null ? null : sealCursor(secret, list, place, now);
      return { ...reply, meta: { ...reply.meta, hasMore: next !== null, cursor: next } };
    },
  };
}
