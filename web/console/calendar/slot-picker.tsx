import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { ROW_REM, type GridColumn, type PickedSlot } from './grid-column.ts';
import { placeOf, timeAt, type HourRow } from './day-grid.ts';
import styles from './calendar.module.css';

interface SlotPickerProps {
  readonly column: GridColumn;
  readonly rows: readonly HourRow[];
  readonly isActive: boolean;
  readonly onSideways: (by: -1 | 1) => void;
  readonly onPick: (picked: PickedSlot) => void;
}

/** Half an hour, in rows. */
const STEP = 0.5;
const FIRST_ROW = 9;

/**
 * The empty time of a column as one button. A click books at the pointer; for the keyboard, Up and Down
 * choose the time, Left and Right the column, and Enter books.
 */
export function SlotPicker({ column, rows, isActive, onSideways, onPick }: SlotPickerProps) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const [isFocused, setFocused] = useState(false);
  const cursor = useCursor(column, rows, isFocused);
  const at = cursor.timeOf(cursor.row);
  const label = planner.slotAt(column.title, at === undefined ? '' : format.time(at));
  const moves: Readonly<Record<string, () => void>> = {
    ArrowUp: () => cursor.step(-STEP),
    ArrowDown: () => cursor.step(STEP),
    ArrowLeft: () => onSideways(-1),
    ArrowRight: () => onSideways(1),
  };
  return (
    <>
      <Button
        data-picker
        className={cx(styles.picker)}
        excludeFromTabOrder={!isActive}
        aria-label={label}
        aria-description={planner.slotKeys}
        onFocusChange={setFocused}
        onKeyDown={(event) => {
          const move = moves[event.key];
          if (move) {
            event.preventDefault();
            move();
          } else {
            event.continuePropagation();
          }
        }}
        onPointerDown={({ clientY, currentTarget }) => cursor.point(currentTarget, clientY)}
        onPointerMove={({ clientY, currentTarget }) => cursor.point(currentTarget, clientY)}
        onPress={() => at !== undefined && onPick({ start: at, memberId: column.memberId })}
      >
        <span
          ref={cursor.ghost}
          className={styles.ghost}
          style={{ top: `${cursor.row * ROW_REM}rem` }}
        >
          {at !== undefined && format.time(at)}
        </span>
      </Button>
      <span className={styles.unseen} aria-live="polite">
        {isFocused && label}
      </span>
    </>
  );
}

/** The half hour that the pointer or the arrow keys chose; it stays in view while it is focused. */
function useCursor(column: GridColumn, rows: readonly HourRow[], isFocused: boolean) {
  const { timezone } = usePlace().membership;
  const [chosen, setChosen] = useState<number>();
  const row = chosen ?? firstRow(column, rows, timezone);
  const ghost = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isFocused) {
      ghost.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [row, isFocused]);
  const timeOf = (one: number) => timeAt(column.day, one, rows, timezone);
  const exists = (one: number) => timeOf(one) !== undefined;
  return {
    row,
    ghost,
    timeOf,
    step: (by: number) => setChosen(nextRow(row, by, rows.length, exists)),
    point(box: Element, clientY: number) {
      const { top, height } = box.getBoundingClientRect();
      const pointed = Math.floor((((clientY - top) / height) * rows.length) / STEP) * STEP;
      if (exists(pointed)) {
        setChosen(pointed);
      }
    },
  };
}

/** The first opening hour of the day, else nine o'clock. */
function firstRow(
  { day, hours = [] }: GridColumn,
  rows: readonly HourRow[],
  timezone: string,
): number {
  const tops = hours.flatMap((span) => placeOf(span, day, rows, timezone)?.top ?? []);
  const first = tops.length > 0 ? Math.min(...tops) : FIRST_ROW;
  return Math.ceil(first / STEP) * STEP;
}

/** Returns the next time of the day, past the hours that it does not have; the same at its ends. */
function nextRow(row: number, by: number, count: number, exists: (row: number) => boolean): number {
  let next = row + by;
  while (next >= 0 && next < count && !exists(next)) {
    next += by;
  }
  return next >= 0 && next < count ? next : row;
}
