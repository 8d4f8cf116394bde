import type { CalendarDate } from '@internationalized/date';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import type { Laned, Place } from './day-grid.ts';
import type { HoursSpan, TakenSpan } from './schedule-queries.ts';

/** A day, or a member's day. */
export interface GridColumn {
  readonly id: string;
  readonly title: string;
  readonly day: CalendarDate;
  /** Whether the column shows the time of a member; null is an appointment without one. */
  readonly isOf: (memberId: string | null) => boolean;
  /** The members whose busy times are side by side. */
  readonly lanes: readonly { readonly id: string; readonly name: string }[];
  readonly appointments: readonly Appointment[];
  /** Undefined until they are known. */
  readonly hours: readonly HoursSpan[] | undefined;
  readonly taken: readonly TakenSpan[];
}

/** The height of an hour; the style sheet draws its lines at this distance. */
export const ROW_REM = 3;

/** Returns where a place is drawn. */
export const boxOf = ({ top, height }: Place) => ({
  top: `${top * ROW_REM}rem`,
  height: `${height * ROW_REM}rem`,
});

/** A part of a column's width, from 0 to 1. */
export interface Lane {
  readonly left: number;
  readonly width: number;
}

/**
 * Returns where taken time is drawn: a buffer in the lane of the appointment that it belongs to, other
 * time in that of its member.
 */
export function laneOfTaken(
  { kind, memberId, startTime, endTime }: TakenSpan,
  lanes: GridColumn['lanes'],
  placed: readonly Laned<Appointment>[],
): Lane {
  const own =
    kind === 'buffer'
      ? placed.find(
          ({ item }) =>
            item.assignedTo === memberId &&
            (isSameTime(item.endTime, startTime) || isSameTime(item.startTime, endTime)),
        )
      : undefined;
  const count = own?.lanes ?? Math.max(1, lanes.length);
  const lane =
    own?.lane ??
    Math.max(
      0,
      lanes.findIndex(({ id }) => id === memberId),
    );
  return { left: lane / count, width: 1 / count };
}

const isSameTime = (one: string, other: string): boolean => Date.parse(one) === Date.parse(other);
