import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { invalid } from '#core/fault.ts';
import { DAY_MS } from './duration.ts';

const LIFETIME_MS = DAY_MS;
const MAC_BYTES = 16;

/** What a cursor is bound to: it continues this list, with these filters, for this sub-account. */
export interface List {
  /** With the ids in its path. */
  readonly endpoint: string;
  readonly subAccountId: string;
  readonly filters: object;
  /** Its cursors come as `after` and do not expire: who follows a feed keeps his place in it. */
  readonly isFeed?: boolean;
}

/** Sealed place in a list: opaque, tamper-proof, of no use anywhere else and, but in a feed, after a day. */
export function sealCursor(secret: KeyObject, list: List, place: string, now: Date): string {
  const payload = Buffer.from(JSON.stringify([now.getTime(), place]));
  return Buffer.concat([macOf(secret, list, payload), payload]).toString('base64url');
}

/** The place a cursor stands for; refuses one that is foreign, altered or expired with 400. */
export function openCursor(secret: KeyObject, list: List, cursor: string, now: Date): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const mac = bytes.subarray(0, MAC_BYTES);
  const payload = bytes.subarray(MAC_BYTES);
  // Text that decodes to these bytes without being their encoding was altered too.
  const isWhole = mac.length === MAC_BYTES && bytes.toString('base64url') === cursor;
  if (!isWhole || !timingSafeEqual(mac, macOf(secret, list, payload))) {
    throw refused(list, 'does not belong to this list, its filters or this sub-account');
  }
  const [bornAt, place] = JSON.parse(payload.toString()) as [number, string];
  if (!list.isFeed && now.getTime() - bornAt > LIFETIME_MS) {
    throw refused(list, 'has expired; start the list again');
  }
  return place;
}

/** Over both the list and the place: as JSON, no part can be taken for another. */
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

const refused = ({ isFeed }: List, message: string) =>
  invalid([{ in: 'query', path: isFeed ? '/after' : '/cursor', message }]);
