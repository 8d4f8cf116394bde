import { handle } from '#core/job.ts';
import { epochMs, insertInto } from '#core/schema/columns.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { newId } from '#lib/id.ts';
import { findOffer, type Offer } from '../../calendars/offers.ts';
import type { Slot } from '../../calendars/schedule.ts';
import { blockedTime } from '../availability/slot-lookup.ts';
import { freeIn, slotAt } from './free-in.ts';
import { queueOffers } from './join-waiting.ts';
import { writeOffer } from './waiting-mails.ts';
import { checkWaiting, offerWaiting } from './waiting.jobs.ts';
import { waitingLink } from './waiting-link.ts';

/** Bounds one transaction, during which nothing of the sub-account can be booked. */
const OFFERS_AT_ONCE = 20;

/** Offers what is free. Killed at any point, it has offered and written to a person, or neither. */
export const handleOfferWaiting = handle(offerWaiting, async ({ subAccountId }, context) => {
  const { transact, actor, log, tools, settings } = context;
  const linkOf = (id: string) => waitingLink(tools.secrets, settings.baseUrl, { subAccountId, id });
  const reasons = await transact(subAccountId, actor, (work) => offerFreeSlots(work, linkOf));
  for (const reason of reasons) {
    log.warn({ subAccountId }, `a person on the waiting list cannot be written to: ${reason}`);
  }
});

/** Queues the job of every sub-account where a person waits. */
export const handleCheckWaiting = handle(checkWaiting, async (_, { execute }) => {
  await execute(QUEUE_ALL, [offerWaiting.name, offerWaiting.maxAttempts]);
});

const QUEUE_ALL = `select queue_jobs(
    array_agg($1::text), array_agg($1::text || ':' || due.id || ':'),
    array_agg(json_build_object('subAccountId', due.id)), $2::int
  ) from (
    select distinct e.sub_account_id as id from waiting_entries e
    join sub_accounts s on s.id = e.sub_account_id and s.deleted_at is null
    where e.state in ('waiting', 'offered') and e.until_time > now()
  ) as due`;

interface Waiting {
  readonly id: string;
  readonly typeId: string;
  readonly contactId: string;
  readonly from: number;
  readonly until: number;
  readonly timezone: string;
  /** The starts that the person was offered before, in epoch milliseconds. */
  readonly known: readonly number[];
}

/**
 * Ends the offers that have expired, and offers each free slot to the next person who waits for it.
 * Returns why persons could not be written to; they lose their place.
 */
export async function offerFreeSlots(
  work: Work,
  linkOf: (entryId: string) => string,
): Promise<readonly string[]> {
  const { subAccountId, now } = work;
  // Bookings wait until the offers are committed; the statements below see the bookings before them.
  await work.rows('select pg_advisory_xact_lock(offers_lock($1::uuid))', [subAccountId]);
  await work.rows(EXPIRE, [subAccountId, now]);
  const reasons: string[] = [];
  let offered = 0;
  const line = await work.rows<Waiting>(NEXT, [subAccountId, now]);
  for (const { waiting, offer, starts } of await findCandidates(work, line)) {
    if (offered === OFFERS_AT_ONCE) {
      queueOffers(work);
      break;
    }
    const free = await freeIn(work, offer, waiting);
    const time = free.find(({ start }) => starts.has(start));
    const slot = time && (await slotAt(work, offer, time));
    if (!slot) {
      continue;
    }
    const expiresAt = expiryOf(offer, slot, now);
    const notice = { ...waiting, link: linkOf(waiting.id), start: slot.start, expiresAt };
    const reason = await writeOffer(work, offer, notice);
    if (reason !== undefined) {
      reasons.push(reason);
      await work.rows(LEAVE, [subAccountId, waiting.id, now]);
      continue;
    }
    await reserveSlot(work, offer, { entryId: waiting.id, slot, expiresAt });
    queueOffers(work, expiresAt);
    offered += 1;
  }
  return reasons;
}

/** A person with the free slots that they may be offered. */
interface Candidate {
  readonly waiting: Waiting;
  readonly offer: Offer;
  readonly starts: ReadonlySet<number>;
}

/**
 * Returns who can be offered a slot, in line. Cancellations do not wait for the lock: a slot can become
 * free between two searches. The last in line is looked up first, so that everyone sees at least
 * the slots of those behind them, and none gets a slot that was not yet free for those before.
 */
async function findCandidates(work: Work, line: readonly Waiting[]): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const waiting of line.toReversed()) {
    const offer = await findOffer(work, waiting.typeId);
    const starts = offer && (await startsFor(work, offer, waiting));
    if (offer && starts && starts.size > 0) {
      candidates.push({ waiting, offer, starts });
    }
  }
  return candidates.toReversed();
}

/** Returns the free starts of the person's day that they were not offered before. */
async function startsFor(
  work: Work,
  offer: Offer,
  waiting: Waiting,
): Promise<Set<number> | undefined> {
  const { calendar, type } = offer;
  if (calendar.waitingListMinutes === null || !type.isActive) {
    return undefined;
  }
  const starts = new Set((await freeIn(work, offer, waiting)).map(({ start }) => start));
  return starts.difference(new Set(waiting.known));
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

/** Written at once: the search for the next person's slot must see it. */
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

/** An offer that is being accepted is left alone: its transaction decides. */
const EXPIRE = `with due as (
    select id, entry_id from waiting_offers
    where sub_account_id = $1 and state = 'offered' and expires_at <= $2 for update skip locked
  ), ended as (
    update waiting_offers o set state = 'expired' from due
    where o.sub_account_id = $1 and o.id = due.id
  )
  update waiting_entries e set state = 'waiting', updated_at = $2 from due
  where e.sub_account_id = $1 and e.id = due.entry_id and e.state = 'offered' returning e.id`;

/** A person who leaves at the same time is skipped. */
const NEXT = `select e.id, e.appointment_type_id as "typeId", e.contact_id as "contactId", e.timezone,
    ${epochMs('e.from_time')} as "from",
    ${epochMs('e.until_time')} as "until",
    coalesce((
      select json_agg(${epochMs('o.start_time')}) from waiting_offers o
      where o.sub_account_id = $1 and o.entry_id = e.id
    ), '[]') as known
  from waiting_entries e
  where e.sub_account_id = $1 and e.state = 'waiting' and e.until_time > $2
  order by e.id for update of e skip locked`;
