import type { Secrets } from '#core/secrets.ts';
import { readToken, SIGNED_TOKEN, signToken, verifyToken } from '#lib/signed-token.ts';

/** The calendar or team member whose appointments a feed lists. */
export interface FeedOwner {
  readonly subAccountId: string;
  readonly ownerId: string;
}

export const FEED_TOKEN = SIGNED_TOKEN;

const keyOf = (secrets: Secrets) => secrets.derive('calendar-feeds');

/** The token stays the same until the feed is rotated; it is not stored. */
export const feedToken = (
  secrets: Secrets,
  { subAccountId, ownerId }: FeedOwner,
  rotation: number,
): string => signToken(keyOf(secrets), { subAccountId, id: ownerId }, `/${rotation}`);

/** Returns the owner that a token names; `isFeedToken` checks its signature. */
export function feedOwner(token: string): FeedOwner | undefined {
  const named = readToken(token);
  return named && { subAccountId: named.subAccountId, ownerId: named.id };
}

export const isFeedToken = (secrets: Secrets, token: string, rotation: number): boolean =>
  verifyToken(keyOf(secrets), token, `/${rotation}`) !== undefined;
