import { handle } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { findOffer } from '../../calendars/offers.ts';
import { waitingLink } from './waiting-link.ts';
import { writeJoined } from './waiting-mails.ts';
import { readPlace } from './waiting-place.ts';
import { confirmWaiting } from './waiting.jobs.ts';

/** Mails the link of a new place once, even if the worker is killed halfway. */
export const handleConfirmWaiting = handle(
  confirmWaiting,
  async ({ subAccountId, placeId }, { transact, actor, log, tools, settings }) => {
    const place = { subAccountId, id: placeId };
    const link = waitingLink(tools.secrets, settings.baseUrl, place);
    const reason = await transact(subAccountId, actor, (work) => confirmPlace(work, placeId, link));
    if (reason !== undefined) {
      log.warn({ subAccountId }, `a new place on the waiting list was not confirmed: ${reason}`);
    }
  },
);

/** Returns the reason if the person could not be written to. */
export async function confirmPlace(
  work: Work,
  placeId: string,
  link: string,
): Promise<string | undefined> {
  const { subAccountId, now } = work;
  const [fresh] = await work.rows<{ createdAt: Date }>(LOCK_NEW, [subAccountId, placeId]);
  if (!fresh) {
    return undefined;
  }
  const confirmedAt = new Date(Math.max(now.getTime(), fresh.createdAt.getTime() + 1));
  work.write(CONFIRM, [subAccountId, placeId, confirmedAt]);
  const place = await readPlace(work, placeId);
  const offer = place && (await findOffer(work, place.typeId));
  return place && offer ? writeJoined(work, offer, { ...place, link }) : undefined;
}

/** A place that has changed since it was created is confirmed, has an offer with the same link, or is over. */
const LOCK_NEW = `select created_at as "createdAt" from waiting_entries
  where sub_account_id = $1 and id = $2 and state = 'waiting' and updated_at = created_at
  for update`;

/** An update with a time of the row and an interval is refused by a cluster. */
const CONFIRM = `update waiting_entries set updated_at = $3
  where sub_account_id = $1 and id = $2`;
