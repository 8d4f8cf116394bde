import type { Work } from '#core/work.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import type { Refusal, Slot, BusyTimes } from '../../calendars/schedule.ts';
import { judgeSlot, type RequestedSlot } from '../../calendars/slots/judge-slot.ts';
import { bookingRefusal } from '../appointments/booking-refusal.ts';
import { loadConflicts, type ConflictsQuery, type Surroundings } from './load-conflicts.ts';
import { NOTHING_TAKEN } from './busy-times.ts';

/** A slot that was free a moment ago. */
export interface FoundSlot extends Pick<Surroundings, 'day'> {
  readonly slot: Slot;
}

/** Refuses what cannot be booked with the first reason that applies; what hours say needs no look. */
export async function checkSlot(
  work: Work,
  offer: Offer,
  asked: ConflictsQuery,
): Promise<FoundSlot> {
  const { schedule } = offer.calendar;
  const wish = { start: asked.startTime, end: asked.endTime, now: work.now.getTime() };
  const atBest = judgeSlot(schedule, offer.type, NOTHING_TAKEN, wish);
  if (typeof atBest === 'string' && atBest !== 'slot_unavailable') {
    throw bookingRefusal(atBest);
  }
  const { taken, ...around } = await loadConflicts(
    work.subAccountId,
    work.readOutside,
    offer,
    asked,
  );
  const slot = judgedOnce(offer, taken, wish);
  if (typeof slot === 'string') {
    throw bookingRefusal(slot);
  }
  return { slot, ...around };
}

interface Judged extends Pick<RequestedSlot, 'start' | 'end'> {
  readonly type: Offer['type'];
  readonly slot: Slot | Refusal;
}

const judged = new WeakMap<BusyTimes, Judged>();

/** Many who want one slot share what is taken, and so what comes of it; the time of day is judged by then. */
function judgedOnce(offer: Offer, taken: BusyTimes, wish: RequestedSlot): Slot | Refusal {
  const known = judged.get(taken);
  if (known?.type === offer.type && known.start === wish.start && known.end === wish.end) {
    return known.slot;
  }
  const { start, end } = wish;
  const slot = judgeSlot(offer.calendar.schedule, offer.type, taken, wish);
  judged.set(taken, { type: offer.type, start, end, slot });
  return slot;
}
