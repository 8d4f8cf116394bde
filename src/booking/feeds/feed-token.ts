import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

/** Whose appointments a feed holds: those of a calendar, or of a team member. */
export interface FeedOwner {
  readonly subAccountId: string;
  readonly ownerId: string;
}

const ID_BYTES = 16;
const NAMED_BYTES = 2 * ID_BYTES;
const MAC_BYTES = 16;
export const FEED_TOKEN = '[\\w-]{64}';

/** The same for ever, until it is rotated; nothing of it is stored. */
export function feedToken(secrets: Secrets, owner: FeedOwner, rotation: number): string {
  const named = Buffer.from((owner.subAccountId + owner.ownerId).replaceAll('-', ''), 'hex');
  return Buffer.concat([named, macOf(secrets, named, rotation)]).toString('base64url');
}

/** Whom a token names, whoever made it; `isFeedToken` says whether we did. */
export function namedOwner(token: string): FeedOwner {
  const bytes = Buffer.from(token, 'base64url');
  return {
    subAccountId: uuidOf(bytes.subarray(0, ID_BYTES)),
    ownerId: uuidOf(bytes.subarray(ID_BYTES, NAMED_BYTES)),
  };
}

export function isFeedToken(secrets: Secrets, token: string, rotation: number): boolean {
  const bytes = Buffer.from(token, 'base64url');
  const mac = macOf(secrets, bytes.subarray(0, NAMED_BYTES), rotation);
  return timingSafeEqual(bytes.subarray(NAMED_BYTES), mac);
}

const macOf = (secrets: Secrets, named: Buffer, rotation: number): Buffer =>
  createHmac('sha256', secrets.derive('calendar-feeds'))
    .update(named)
    .update(`/${rotation}`)
    .digest()
    .subarray(0, MAC_BYTES);

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
