import { today, type CalendarDate } from '@internationalized/date';
import { useEffect, useRef, useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { DayColumn, type ColumnActions } from './day-column.tsx';
import { ROW_REM, type GridColumn } from './grid-column.ts';
import { missingRows, rowsOf, timeAt, type HourRow } from './day-grid.ts';
import styles from './calendar.module.css';

interface TimeGridProps extends ColumnActions {
  readonly columns: readonly GridColumn[];
  readonly days: readonly CalendarDate[];
  /** While anything that the columns show is loaded. */
  readonly isLoading: boolean;
}

const FIRST_HOUR_SHOWN = 8;
/** The width of the clock at the side, which stays in view. */
const HOURS_REM = 4.25;
const HOUR_MS = 3_600_000;

/** Hours from top to bottom, columns side by side. */
export function TimeGrid({ columns, days, isLoading, ...actions }: TimeGridProps) {
  const { calendar } = useMessages();
  const { timezone } = usePlace().membership;
  const rows = rowsOf(days, timezone);
  const [active, setActive] = useState(() => Math.max(0, indexOfToday(columns, timezone)));
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const today = box.current?.querySelector('[aria-current=date]')?.closest('section');
    const hours = HOURS_REM * rem;
    box.current?.scrollTo({
      top: FIRST_HOUR_SHOWN * ROW_REM * rem,
      left: today ? today.offsetLeft - hours : 0,
    });
  }, []);
  const focusColumn = (index: number) => {
    const picker = box.current?.querySelectorAll<HTMLElement>('[data-picker]')[index];
    if (picker) {
      setActive(index);
      picker.focus({ preventScroll: true });
    }
  };
  return (
    <div
      ref={box}
      className={styles.grid}
      role="region"
      aria-label={calendar.title}
      aria-busy={isLoading}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll what is focused
      tabIndex={0}
    >
      <div className={styles.sheet}>
        <Hours rows={rows} days={days} />
        {columns.map((column, index) => (
          <DayColumn
            key={column.id}
            column={column}
            rows={rows}
            isActive={index === Math.min(active, columns.length - 1)}
            isLoading={isLoading}
            onSideways={(by) => focusColumn(index + by)}
            {...actions}
          />
        ))}
      </div>
    </div>
  );
}

const indexOfToday = (columns: readonly GridColumn[], timezone: string): number =>
  columns.findIndex(({ day }) => day.compare(today(timezone)) === 0);

interface HoursProps {
  readonly rows: readonly HourRow[];
  readonly days: readonly CalendarDate[];
}

/** The clock at the side, in the user's notation. */
function Hours({ rows, days }: HoursProps) {
  const { timezone } = usePlace().membership;
  const clock = useFormat('UTC');
  const format = useFormat(timezone);
  const long = days.find((day) => missingRows(day, rows, timezone).length === 0);
  return (
    <div className={styles.hours} aria-hidden="true">
      <div className={styles.head} />
      {rows.map(({ hour, isRepeat }, index) => {
        const isTwice = rows.some((row) => row.hour === hour && row.isRepeat !== isRepeat);
        const at = isTwice && long ? timeAt(long, index, rows, timezone) : undefined;
        return (
          <div key={`${hour}${isRepeat}`} className={styles.hour}>
            {clock.time(hour * HOUR_MS)}
            {/* An hour that comes twice is told apart by its offset. */}
            {at !== undefined && <small>{format.offset(at)}</small>}
          </div>
        );
      })}
    </div>
  );
}
