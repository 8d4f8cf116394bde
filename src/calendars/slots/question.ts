import type { BookableType, Schedule, BusyTimes } from '../schedule.ts';

/** A question by an operator: may this start be booked, and if not, which rule says so? */
export interface Question {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly taken: BusyTimes;
  readonly start: number;
  readonly now: number;
  /** What an operator calls a member. */
  readonly nameOf: (memberId: string) => string;
}
