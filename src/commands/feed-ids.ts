import { findFeeds } from '../booking/feeds/feed-addresses.ts';
import type { Outcome } from '../manifest/outcome.ts';
import type { Service } from './server/open-service.ts';

/**
 * The tokens of the feeds of what a manifest has, by key. Where a calendar and a member have the same
 * key, that of the member stands under `team/KEY`.
 */
export async function feedIds(
  { openView, clock, secrets }: Pick<Service, 'openView' | 'clock' | 'secrets'>,
  subAccountId: string,
  { calendars = {}, team = {} }: Outcome['ids'],
): Promise<Readonly<Record<string, string>>> {
  const feeds = await findFeeds(openView(subAccountId, clock()), secrets);
  const ids: Record<string, string> = {};
  for (const { kind, key, ownerId, token } of feeds) {
    if ((kind === 'calendar' ? calendars : team)[key] === ownerId) {
      ids[Object.hasOwn(ids, key) ? `team/${key}` : key] = token;
    }
  }
  return ids;
}
