import { handle } from '#core/job.ts';
import { epochColumn } from '#core/schema/columns.ts';
import type { View, Work } from '#core/work.ts';
import { findOffer, type Offer } from '../../calendars/offers.ts';
import type { OfferedTime } from '../../calendars/schedule.ts';
import { freeIn, type Span } from './free-in.ts';
import { queueOffers } from './join-waiting.ts';
import { offerSlot } from './offer-slot.ts';
import { checkWaiting, offerWaiting } from './waiting.jobs.ts';
import { waitingLink } from './waiting-link.ts';

/** Bounds the search for free times of one job; a further job continues behind its last person. */
const PERSONS_AT_ONCE = 50;

/** Bounds the transactions of one job: bookings of the sub-account wait for each of them. */
const ATTEMPTS_AT_ONCE = 20;

/** Offers what is free. Killed at any point, it has offered and written to a person, or neither. */
export const handleOfferWaiting = handle(offerWaiting, async ({ subAccountId, after }, context) => {
  const { transact, actor, log, tools, settings, openView, clock } = context;
  const pass: Pass = {
    view: openView(subAccountId, clock()),
    change: (act) => transact(subAccountId, actor, act),
    linkOf: (id) => waitingLink(tools.secrets, settings.baseUrl, { subAccountId, id }),
  };
  for (const reason of await offerFreeSlots(pass, after)) {
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

interface Waiting extends Span {
  readonly id: string;
  readonly typeId: string;
  /** The starts that the person was offered before, in epoch milliseconds. */
  readonly known: readonly number[];
}

interface Pass {
  /** Finds free times: bookings do not wait for it. */
  readonly view: View;
  /** Runs a transaction. */
  readonly change: <T>(act: (work: Work) => Promise<T>) => Promise<T>;
  readonly linkOf: (entryId: string) => string;
}

/**
 * Ends the offers that have expired, and offers each free slot to the next person who waits for it.
 * Begins behind the place `after`, and queues a job for those who wait behind the last place it reached.
 * Returns why persons could not be written to; they lose their place.
 */
export async function offerFreeSlots(pass: Pass, after?: string): Promise<readonly string[]> {
  const { view, change } = pass;
  const { subAccountId, now } = view;
  if (after === undefined) {
    await change((work) => work.rows(EXPIRE, [subAccountId, work.now]));
  }
  const line = await view.rows<Waiting>(LINE, [subAccountId, now, after ?? null, PERSONS_AT_ONCE]);
  const search: Search = { pass, days: await findDays(view, line), attempts: 0, reasons: [] };
  let last = after;
  let isDone = line.length < PERSONS_AT_ONCE;
  for (const waiting of line) {
    if (!(await serve(search, waiting))) {
      isDone = false;
      break;
    }
    last = waiting.id;
  }
  if (!isDone) {
    await change(async (work) => queueOffers(work, { after: last }));
  }
  return search.reasons;
}

interface Search {
  readonly pass: Pass;
  readonly days: ReadonlyMap<string, FreeDay>;
  attempts: number;
  readonly reasons: string[];
}

/** Free times of a type on a day, which are found once for all who wait for them. */
interface FreeDay {
  readonly offer: Offer;
  readonly span: Span;
  free: readonly OfferedTime[];
  /** The number of attempts after which the free times were found. */
  asOf: number;
  /** Starts that were taken when they were to be offered. */
  readonly taken: Set<number>;
}

const dayKey = ({ typeId, from, until }: Waiting): string => `${typeId} ${from} ${until}`;

/**
 * Slots can become free between two searches. The day of the first in line is searched last, and therefore
 * sees at least the slots of the others.
 */
async function findDays(view: View, line: readonly Waiting[]): Promise<Map<string, FreeDay>> {
  const awaited = new Map(line.map((waiting) => [dayKey(waiting), waiting]));
  const days = new Map<string, FreeDay>();
  for (const [key, { typeId, from, until }] of [...awaited].toReversed()) {
    const offer = await findOffer(view, typeId);
    if (offer?.type.isActive && offer.calendar.waitingListMinutes !== null) {
      const span = { from, until };
      const free = await freeIn(view, offer, span);
      days.set(key, { offer, span, free, asOf: 0, taken: new Set() });
    }
  }
  return days;
}

/**
 * Offers free starts of the person's day until the person has one or none is left; each goes to the first
 * in line for it. Returns false if the job has made all its attempts before.
 */
async function serve(search: Search, waiting: Waiting): Promise<boolean> {
  const { change, linkOf, view } = search.pass;
  const day = search.days.get(dayKey(waiting));
  for (;;) {
    const time = day && (await nextFree(view, day, { known: waiting.known, search }));
    if (!time) {
      return true;
    }
    if (search.attempts === ATTEMPTS_AT_ONCE) {
      return false;
    }
    search.attempts += 1;
    const { isFree, entryId, reason } = await change((work) =>
      offerSlot(work, day.offer, { time, linkOf }),
    );
    if (reason !== undefined) {
      search.reasons.push(reason);
    }
    if (!isFree) {
      day.taken.add(time.start);
    } else if (entryId === undefined || entryId === waiting.id) {
      return true;
    }
  }
}

/** Returns the first free time that the person was not offered before. */
async function nextFree(
  view: View,
  day: FreeDay,
  { known, search }: { readonly known: readonly number[]; readonly search: Search },
): Promise<OfferedTime | undefined> {
  const find = () => day.free.find(({ start }) => !known.includes(start) && !day.taken.has(start));
  if (find() && day.asOf !== search.attempts) {
    // An offer can take other starts too, as with a limit of appointments per day.
    day.free = await freeIn(view, day.offer, day.span);
    day.asOf = search.attempts;
  }
  return find();
}

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

const LINE = `select e.id, e.appointment_type_id as "typeId",
    ${epochColumn('e.from_time')} as "from",
    ${epochColumn('e.until_time')} as "until",
    coalesce((
      select json_agg(${epochColumn('o.start_time')}) from waiting_offers o
      where o.sub_account_id = $1 and o.entry_id = e.id
    ), '[]') as known
  from (
    select * from waiting_entries
    where sub_account_id = $1 and state = 'waiting' and until_time > $2
      and ($3::uuid is null or id > $3)
    order by id limit $4
  ) as e order by e.id`;
