import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import { bookingRefusal } from '../appointments/booking-refusal.ts';
import type { FoundSlot } from './check-slot.ts';

/** A found slot as the database takes it (`slot_wish`): it looks once more, and then nobody else can. */
export function slotRequest(
  { now }: Work,
  { calendar: { schedule }, type }: Offer,
  { slot, day }: FoundSlot,
): string {
  const at = (ms: number) => new Date(ms).toISOString();
  return JSON.stringify({
    kind: schedule.kind,
    wanted: slot.memberIds,
    blocked_from: at(slot.start - schedule.bufferBefore * MINUTE_MS),
    blocked_until: at(slot.end + schedule.bufferAfter * MINUTE_MS),
    seats: type.seats ?? 1,
    day_from: at(day.from),
    day_until: at(day.until),
    max_per_day: schedule.maxPerDay,
    asked_at: now.toISOString(),
  });
}

/** What it means when the database finds the slot taken meanwhile. */
export function explainSlot(work: Work): void {
  work.mapConstraint('appointments_day_full', () => bookingRefusal('day_full'));
  work.mapConstraint('appointment_blocks_overlap', () => bookingRefusal('slot_unavailable'));
  // Whoever was free for it is out of the team by now.
  work.mapConstraint('appointments_assigned_to_fkey', () => bookingRefusal('slot_unavailable'));
}
