import type { Work } from '#core/work.ts';

/** Gives a feed another address; the old one leads nowhere from then on. */
export function rotateFeed(work: Work, ownerId: string): void {
  work.write(ROTATE, [work.subAccountId, ownerId]);
  work.audit(ownerId);
}

const ROTATE = `insert into calendar_feeds (sub_account_id, owner_id, rotation) values ($1, $2, 1)
  on conflict (sub_account_id, owner_id) do update set rotation = calendar_feeds.rotation + 1`;
