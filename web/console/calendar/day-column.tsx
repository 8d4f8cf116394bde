import { isToday, now, type CalendarDate } from '@internationalized/date';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useDrop } from 'react-aria-components/useDrop';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import type { Slot } from '../../../sdk/src/generated/shared.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useTeam } from '../inbox/conversation-queries.ts';
import { cx } from '../ui/cx.ts';
import { APPOINTMENT_TYPE, type Grab } from './appointment-card.tsx';
import { EntryCard } from './entry-card.tsx';
import { boxOf, ROW_REM, type GridColumn, type PickedSlot } from './grid-column.ts';
import type { GridEntry } from './grid-entries.ts';
import { laneOf, placeOf, timeAt, type HourRow } from './day-grid.ts';
import { Shading, UnknownHours } from './shading.tsx';
import { SlotPicker } from './slot-picker.tsx';
import styles from './calendar.module.css';

/** An appointment that is being dragged, and where it can be dropped. */
interface Drag extends Grab {
  readonly slots: readonly Slot[] | undefined;
}

export interface ColumnActions {
  readonly onOpen: (appointment: Appointment) => void;
  /** Missing for people who may not book. */
  readonly onPick?: ((picked: PickedSlot) => void) | undefined;
  readonly onGrab?: ((grab: Grab | undefined) => void) | undefined;
  readonly onDrop: (appointment: Appointment, start: number, slot: Slot | undefined) => void;
  readonly drag: Drag | undefined;
}

interface DayColumnProps extends ColumnActions {
  readonly column: GridColumn;
  readonly rows: readonly HourRow[];
  /** The column whose empty slots the Tab key reaches. */
  readonly isActive: boolean;
  readonly isLoading: boolean;
  readonly onSideways: (by: -1 | 1) => void;
}

/** A day, or a member's day: hours and busy times behind, appointments in front. */
export function DayColumn(props: DayColumnProps) {
  const { column, rows, isActive, isLoading, onSideways, ...actions } = props;
  const { title, day, entries } = column;
  const { timezone } = usePlace().membership;
  const { onPick, drag } = actions;
  const box = useRef<HTMLDivElement>(null);
  const { dropProps, over, canDrop } = useSlotDrop(box, { column, rows, ...actions });
  const { data: team = [] } = useTeam();
  // Only a column that is not of one member has appointments without one.
  const isMixed = column.isOf(null) && team.length > 1;
  const memberOf = ({ assignedTo }: GridEntry) =>
    isMixed ? team.find(({ id }) => id === assignedTo)?.name : undefined;
  const placed = laneOf(entries.filter((one) => placeOf(one, day, rows, timezone) !== undefined));
  return (
    <section className={styles.column} aria-label={title}>
      <h2 className={styles.head} aria-current={isToday(day, timezone) ? 'date' : undefined}>
        {title}
      </h2>
      <div
        ref={box}
        {...dropProps}
        className={styles.day}
        style={{ height: `${rows.length * ROW_REM}rem` }}
      >
        {onPick && (
          <SlotPicker
            column={column}
            rows={rows}
            isActive={isActive}
            onSideways={onSideways}
            onPick={onPick}
          />
        )}
        <Shading column={column} rows={rows} placed={placed} />
        {isLoading && <UnknownHours rows={rows} />}
        <ul role="list" className={styles.appointments}>
          {placed.map(({ item, lane, lanes }) => (
            <EntryCard
              key={item.id}
              entry={item}
              place={placeOf(item, day, rows, timezone) ?? { top: 0, height: 0 }}
              lane={{ left: lane / lanes, width: 1 / lanes }}
              member={memberOf(item)}
              onOpen={actions.onOpen}
              onGrab={actions.onGrab}
            />
          ))}
        </ul>
        {drag && canDrop && (
          <FreeSlots column={column} rows={rows} slots={drag.slots ?? []} over={over} />
        )}
        <NowLine day={day} rows={rows} />
      </div>
    </section>
  );
}

/** How far from a free slot an appointment may be dropped. */
const NEAR_MS = 10 * 60_000;
const STEP_ROWS = 1 / 12;

interface SlotDropOptions extends ColumnActions {
  readonly column: GridColumn;
  readonly rows: readonly HourRow[];
}

/** Accepts appointments; `over` is the start at the pointer, in steps of five minutes. */
function useSlotDrop(
  box: RefObject<HTMLDivElement | null>,
  { column: { day, isOf }, rows, drag, onDrop }: SlotDropOptions,
) {
  const { timezone } = usePlace().membership;
  const [over, setOver] = useState<number>();
  const startAt = (y: number): number | undefined => {
    const height = box.current?.getBoundingClientRect().height ?? 1;
    const row = (y / height) * rows.length - (drag?.grabRows ?? 0);
    return timeAt(day, Math.round(row / STEP_ROWS) * STEP_ROWS + ROUNDING, rows, timezone);
  };
  const { assignedTo } = drag?.appointment ?? { assignedTo: null };
  // The member stays: other members' columns take no drop.
  const canDrop = isOf(assignedTo);
  const { dropProps } = useDrop({
    ref: box,
    getDropOperation: (types) => (types.has(APPOINTMENT_TYPE) && canDrop ? 'move' : 'cancel'),
    onDropMove: ({ y }) => setOver(startAt(y)),
    onDropExit: () => setOver(undefined),
    onDrop({ y }) {
      setOver(undefined);
      const start = startAt(y);
      if (start !== undefined && drag !== undefined) {
        onDrop(drag.appointment, start, nearest(drag.slots ?? [], start));
      }
    },
  });
  return { dropProps, over, canDrop };
}

/** Keeps a row that is a sum of twelfths above the minute it stands for. */
const ROUNDING = 1e-6;

function nearest(slots: readonly Slot[], start: number): Slot | undefined {
  const distance = ({ startTime }: Slot) => Math.abs(startTime - start);
  const [found] = slots.toSorted((one, other) => distance(one) - distance(other));
  return found && distance(found) <= NEAR_MS ? found : undefined;
}

interface FreeSlotsProps {
  readonly column: GridColumn;
  readonly rows: readonly HourRow[];
  readonly slots: readonly Slot[];
  readonly over: number | undefined;
}

/** Where the dragged appointment can be dropped. */
function FreeSlots({ column: { day }, rows, slots, over }: FreeSlotsProps) {
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const target = over === undefined ? undefined : nearest(slots, over);
  return slots.map((slot) => {
    const place = placeOf({ startTime: slot.start, endTime: slot.end }, day, rows, timezone);
    return (
      place && (
        <div
          key={slot.start}
          className={cx(styles.free, slot === target && styles.freeTarget)}
          style={boxOf(place)}
        >
          {format.time(slot.start)}
        </div>
      )
    );
  });
}

const MINUTE_MS = 60_000;

/** A line at the current time, which moves with it. */
function NowLine({ day, rows }: { readonly day: CalendarDate; readonly rows: readonly HourRow[] }) {
  const { timezone } = usePlace().membership;
  const [at, setAt] = useState(() => now(timezone));
  useEffect(() => {
    const timer = setInterval(() => setAt(now(timezone)), MINUTE_MS);
    return () => clearInterval(timer);
  }, [timezone]);
  const span = {
    startTime: at.toAbsoluteString(),
    endTime: at.add({ minutes: 1 }).toAbsoluteString(),
  };
  const place = placeOf(span, day, rows, timezone);
  return place && <div className={styles.now} style={{ top: `${place.top * ROW_REM}rem` }} />;
}
