import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { invalid } from '#core/fault.ts';
import { DAY_MS } from './duration.ts';

const LIFETIME_MS = DAY_MS;
const MAC_BYTES = 16;

/** The list, filters and sub-account that a cursor is valid for. */
export interface List {
  /** The path, including ids. */
  readonly endpoint: string;
  readonly subAccountId: string;
  readonly filters: object;
  /** Cursors of feeds are passed as `after` and do not expire: readers keep their place. */
  readonly isFeed?: boolean;
}

/** Returns a cursor: opaque, tamper-proof, valid for one list only and, except in feeds, for a day. */
export function sealCursor(secret: KeyObject, list: List, place: string, now: Date): string {
  const payload = Buffer.from(JSON.stringify([now.getTime(), place]));
  return Buffer.concat([macOf(secret, list, payload), payload]).toString('base64url');
}

/** Returns the position of a cursor. Throws VALIDATION_ERROR if it is foreign, altered or expired. */
export function openCursor(secret: KeyObject, list: List, cursor: string, now: Date): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const mac = bytes.subarray(0, MAC_BYTES);
  const payload = bytes.subarray(MAC_BYTES);
  // A different base64 encoding of the same bytes counts as altered.
  const isWhole = mac.length === MAC_BYTES && bytes.toString('base64url') === cursor;
  if (!isWhole || !timingSafeEqual(mac, macOf(secret, list, payload))) {
    throw refused(
      list,
      'does not belong to this list, its filters or this sub-account; use meta.cursor of the previous page, or start again without it',
    );
  }
  const [bornAt, place] = JSON.parse(payload.toString()) as [number, string];
  if (!list.isFeed && now.getTime() - bornAt > LIFETIME_MS) {
    throw refused(list, 'has expired after 24 hours; start the list again without it', {
      reason: 'cursor_expired',
    });
  }
  return place;
}

/** Covers the list and the position, as JSON: one part cannot be shifted into another. */
function macOf(
  secret: KeyObject,
  { endpoint, subAccountId, filters }: List,
  payload: Buffer,
): Buffer {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const bound = JSON.stringify([endpoint, subAccountId, given, payload.toString('latin1')]);
  return createHmac('sha256', secret).update(bound).digest().subarray(0, MAC_BYTES);
}

const refused = ({ isFeed }: List, message: string, details?: object) =>
  invalid([{ in: 'query', path: isFeed ? '/after' : '/cursor', message }], details);
