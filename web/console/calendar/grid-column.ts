import type { CalendarDate } from '@internationalized/date';
import type { Place } from './day-grid.ts';
import type { GridEntry } from './grid-entries.ts';
import type { HoursSpan, TakenSpan } from './schedule-queries.ts';

/** A day, or a member's day. */
export interface GridColumn {
  readonly id: string;
  readonly title: string;
  readonly day: CalendarDate;
  /** The one member whose time it shows; null if it is that of several, or of none. */
  readonly memberId: string | null;
  /** Whether the column shows the time of a member; null is an appointment without one. */
  readonly isOf: (memberId: string | null) => boolean;
  /** The members whose busy times are side by side. */
  readonly lanes: readonly { readonly id: string; readonly name: string }[];
  readonly entries: readonly GridEntry[];
  /** Undefined until they are known. */
  readonly hours: readonly HoursSpan[] | undefined;
  readonly taken: readonly TakenSpan[];
}

/** A start that was picked, in epoch milliseconds, and the member in whose column. */
export interface PickedSlot {
  readonly start: number;
  readonly memberId: string | null;
}

/** The height of an hour; the style sheet draws its lines at this distance. */
export const ROW_REM = 3;

/** Returns where a place is drawn. */
export const boxOf = ({ top, height }: Place) => ({
  top: `${top * ROW_REM}rem`,
  height: `${height * ROW_REM}rem`,
});
