import type { Secrets } from '#core/secrets.ts';
import type { View, Work } from '#core/work.ts';
import { readToken, SIGNED_TOKEN, signToken, verifyToken } from '#lib/signed-token.ts';

/** The feed of a calendar or a team member. */
export interface Feed {
  readonly kind: 'calendar' | 'member';
  readonly ownerId: string;
  /** The key of the calendar or member in the manifest. */
  readonly key: string;
  readonly token: string;
}

/** Returns all feeds of a sub-account: calendars before members, each in their order. */
export async function findFeeds(view: View, secrets: Secrets): Promise<Feed[]> {
  const { subAccountId } = view;
  const rows = await view.rows<Omit<Feed, 'token'> & Rotated>(FEEDS, [subAccountId]);
  return rows.map(({ kind, ownerId, key, rotation }) => {
    const token = feedToken(secrets, { subAccountId, ownerId }, rotation);
    return { kind, ownerId, key, token };
  });
}

/** Returns how often the feed was rotated, or undefined without such a calendar or member. */
export async function rotationOf(
  view: View,
  { subAccountId, ownerId }: FeedOwner,
): Promise<number | undefined> {
  const [feed] = await view.rows<Rotated>(ROTATION, [subAccountId, ownerId]);
  return feed?.rotation;
}

interface Rotated {
  readonly rotation: number;
}

const OWNERS = `(
    select sub_account_id, 1 as rank, 'calendar' as kind, id, key from calendars
    where sub_account_id = $1 and deleted_at is null
    union all
    select sub_account_id, 2, 'member', id, key from team_members where sub_account_id = $1
  ) as o
  join sub_accounts s on s.id = o.sub_account_id and s.deleted_at is null
  left join calendar_feeds f on f.sub_account_id = o.sub_account_id and f.owner_id = o.id`;

const FEEDS = `select o.kind, o.id as "ownerId", o.key, coalesce(f.rotation, 0) as rotation
  from ${OWNERS} order by o.rank, o.id`;

const ROTATION = `select coalesce(f.rotation, 0) as rotation from ${OWNERS} where o.id = $2`;

/** Gives a feed a new address; the old one stops working. */
export function rotateFeed(work: Work, ownerId: string): void {
  work.write(ROTATE, [work.subAccountId, ownerId]);
  work.audit(ownerId);
}

const ROTATE = `insert into calendar_feeds (sub_account_id, owner_id, rotation) values ($1, $2, 1)
  on conflict (sub_account_id, owner_id) do update set rotation = calendar_feeds.rotation + 1`;

/** The calendar or team member whose appointments a feed lists. */
export interface FeedOwner {
  readonly subAccountId: string;
  readonly ownerId: string;
}

/** The pattern of a token. */
export const FEED_TOKEN = SIGNED_TOKEN;

const keyOf = (secrets: Secrets) => secrets.derive('calendar-feeds');

/** Returns the token of a feed. It is not stored, and stays the same until the feed is rotated. */
const feedToken = (
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
