import type { Work } from '#kit/work.ts';
import type { Offer } from '../calendars/find-offer.ts';
import type { Refusal, Slot, Taken } from '../calendars/schedule.ts';
import { judgeSlot, type Wish } from '../calendars/slots/judge-slot.ts';
import { bookingRefusal } from './booking-refusal.ts';
import { lookAround, type Asked, type Surroundings } from './look-around.ts';
import { NOTHING_TAKEN } from './taken.ts';

/** A slot that was free a moment ago. */
export interface FoundSlot extends Pick<Surroundings, 'day'> {
  readonly slot: Slot;
}

/** Refuses what cannot be booked with the first reason that applies; what hours say needs no look. */
export async function lookUpSlot(work: Work, offer: Offer, asked: Asked): Promise<FoundSlot> {
  const { schedule } = offer.calendar;
  const wish = { start: asked.startTime, end: asked.endTime, now: work.now.getTime() };
  const atBest = judgeSlot(schedule, offer.type, NOTHING_TAKEN, wish);
  if (typeof atBest === 'string' && atBest !== 'slot_unavailable') {
    throw bookingRefusal(atBest);
  }
  const { taken, ...around } = await lookAround(work.subAccountId, work.peek, offer, asked);
  const slot = judgedOnce(offer, taken, wish);
  if (typeof slot === 'string') {
    throw bookingRefusal(slot);
  }
  return { slot, ...around };
}

interface Judged extends Pick<Wish, 'start' | 'end'> {
  readonly type: Offer['type'];
  readonly slot: Slot | Refusal;
}

const judged = new WeakMap<Taken, Judged>();

/** Many who want one slot share what is taken, and so what comes of it; the time of day is judged by then. */
function judgedOnce(offer: Offer, taken: Taken, wish: Wish): Slot | Refusal {
  const known = judged.get(taken);
  if (known?.type === offer.type && known.start === wish.start && known.end === wish.end) {
    return known.slot;
  }
  const { start, end } = wish;
  const slot = judgeSlot(offer.calendar.schedule, offer.type, taken, wish);
  judged.set(taken, { type: offer.type, start, end, slot });
  return slot;
}
