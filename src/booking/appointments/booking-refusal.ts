import { Fault } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { Refusal } from '../../calendars/schedule.ts';

const MESSAGES: Readonly<Record<Refusal, string>> = {
  invalid_duration: 'endTime must be startTime plus the duration of the appointment type',
  slot_in_past: 'the slot has already started',
  too_soon: 'the slot starts sooner than the notice that the calendar requires',
  too_far_ahead: 'the slot is further ahead than the calendar accepts bookings',
  date_unavailable: 'the calendar is closed on that date',
  day_unavailable: 'the calendar is closed on that day of the week',
  outside_hours: 'the slot is outside the opening hours',
  day_full: 'the calendar accepts no more appointments on that date',
  slot_unavailable: 'the slot is not available',
};

/** Returns the fault of a refused booking, with the reason in `details.reason` (spec "Errors"). */
export const bookingRefusal = (reason: Refusal): Fault =>
  new Fault('VALIDATION_ERROR', MESSAGES[reason], { reason });

export const transitionRefusal = (message: string): Fault =>
  new Fault('VALIDATION_ERROR', message, { reason: 'invalid_transition' });

/** Maps the constraints that fail when another booking takes the slot first. */
export function mapSlotConstraints(work: Work): void {
  work.mapConstraint('appointments_day_full', () => bookingRefusal('day_full'));
  work.mapConstraint('appointment_blocks_overlap', () => bookingRefusal('slot_unavailable'));
  // The only member who was free for the slot has left the team.
  work.mapConstraint('appointments_assigned_to_fkey', () => bookingRefusal('slot_unavailable'));
}
