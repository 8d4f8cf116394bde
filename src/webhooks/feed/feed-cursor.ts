import type { KeyObject } from 'node:crypto';
import type { View } from '#core/work.ts';
import { openPage } from '#platform/http/call/keyed.ts';

/** Cursors are those of `GET /api/v1/events`. */
const FEED = { id: 'events.list', paged: 'feed' } as const;

/** Returns the position of a cursor of the feed. Throws VALIDATION_ERROR. */
export function positionOf(secret: KeyObject, view: View, cursor: string): number {
  const { after } = openPage(secret, FEED, view, { params: {}, query: { after: cursor } });
  return Number(after);
}

/** Returns the cursor of a position. */
export function cursorAt(secret: KeyObject, view: View, position: number): string {
  const page = openPage(secret, FEED, view, { params: {}, query: {} });
  const { meta } = page.sealed({ data: null, next: String(position) });
  return (meta as { readonly cursor: string }).cursor;
}
