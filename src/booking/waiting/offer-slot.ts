import { insertInto } from '#core/schema/columns.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { newId } from '#lib/id.ts';
import type { Offer } from '../../calendars/offers.ts';
import type { OfferedTime, Slot } from '../../calendars/schedule.ts';
import { blockedTime } from '../availability/slot-lookup.ts';
import { slotAt } from './free-in.ts';
import { queueOffers } from './join-waiting.ts';
import { writeOffer } from './waiting-mails.ts';

/** What became of a start that was free a moment before. */
export interface SlotResult {
  readonly isFree: boolean;
  /** The person who got the offer, or who lost the place. */
  readonly entryId?: string;
  /** Why the person cannot be written to. */
  readonly reason?: string;
}

interface First {
  readonly id: string;
  readonly contactId: string;
  readonly timezone: string;
}

/**
 * Offers a slot to the first person who waits for its type and start and was not offered it before.
 * A person who cannot be written to loses the place.
 */
export async function offerSlot(
  work: Work,
  offer: Offer,
  { time, linkOf }: { readonly time: OfferedTime; readonly linkOf: (entryId: string) => string },
): Promise<SlotResult> {
  const { subAccountId, now } = work;
  // Bookings wait until the offer is committed; the statements below see the bookings before it.
  await work.rows('select pg_advisory_xact_lock(offers_lock($1::uuid))', [subAccountId]);
  const slot = await slotAt(work, offer, time);
  if (!slot) {
    return { isFree: false };
  }
  const start = new Date(slot.start);
  const isLimited = offer.calendar.schedule.maxPerDay !== null;
  const [first] = await work.rows<First>(FIRST, [subAccountId, offer.type.id, start, isLimited]);
  if (!first) {
    return { isFree: true };
  }
  const expiresAt = expiryOf(offer, slot, now);
  const notice = { ...first, link: linkOf(first.id), start: slot.start, expiresAt };
  const reason = await writeOffer(work, offer, notice);
  if (reason !== undefined) {
    await work.rows(LEAVE, [subAccountId, first.id, now]);
    return { isFree: true, entryId: first.id, reason };
  }
  await reserveSlot(work, offer, { entryId: first.id, slot, expiresAt });
  queueOffers(work, { runAt: expiresAt });
  return { isFree: true, entryId: first.id };
}

/** An offer ends before the slot can no longer be booked. */
function expiryOf({ calendar }: Offer, { start }: Slot, now: Date): Date {
  const held = now.getTime() + (calendar.waitingListMinutes ?? 0) * MINUTE_MS;
  return new Date(Math.min(held, start - calendar.schedule.minimumNotice * MINUTE_MS));
}

interface Held {
  readonly entryId: string;
  readonly slot: Slot;
  readonly expiresAt: Date;
}

async function reserveSlot(
  work: Work,
  { calendar, type }: Offer,
  { entryId, slot, expiresAt }: Held,
): Promise<void> {
  const { subAccountId, now } = work;
  const { from, until } = blockedTime(calendar.schedule, slot.start, slot.end);
  const isWhole = calendar.kind === 'collective';
  await work.rows(OFFER, [
    subAccountId,
    newId(now),
    entryId,
    calendar.id,
    type.id,
    new Date(slot.start),
    new Date(slot.end),
    `[${new Date(from).toISOString()},${new Date(until).toISOString()})`,
    isWhole ? slot.memberIds : slot.memberIds.slice(0, 1),
    calendar.kind === 'class',
    'offered',
    expiresAt,
    now,
  ]);
  await work.rows(OFFERED, [subAccountId, entryId, now]);
  work.audit(entryId);
}

/**
 * A person who leaves at the same time is skipped. With a limit of appointments per day, a free place can
 * have many starts: a person who let one pass is behind those who were offered fewer.
 */
const FIRST = `select e.id, e.contact_id as "contactId", e.timezone
  from waiting_entries e
  where e.sub_account_id = $1 and e.state = 'waiting' and e.appointment_type_id = $2
    and e.from_time <= $3 and e.until_time > $3
    and not exists (
      select from waiting_offers o
      where o.sub_account_id = $1 and o.entry_id = e.id and o.start_time = $3
    )
  order by case when $4::boolean then (
      select count(*) from waiting_offers o where o.sub_account_id = $1 and o.entry_id = e.id
    ) end, e.id
  limit 1 for update of e skip locked`;

const OFFER = `${insertInto('waiting_offers', [
  'subAccountId',
  'id',
  'entryId',
  'calendarId',
  'appointmentTypeId',
  'startTime',
  'endTime',
  'blocked',
  'memberIds',
  'isSeat',
  'state',
  'expiresAt',
  'createdAt',
])} returning id`;

const OFFERED = `update waiting_entries set state = 'offered', updated_at = $3
  where sub_account_id = $1 and id = $2 returning id`;

const LEAVE = `update waiting_entries set state = 'left', updated_at = $3
  where sub_account_id = $1 and id = $2 returning id`;
