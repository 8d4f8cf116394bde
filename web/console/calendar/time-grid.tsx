import type { CalendarDate } from '@internationalized/date';
import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { nameOf } from './appointment-name.ts';
import { laneOf, placeOf, rowsOf, type HourRow } from './day-grid.ts';
import styles from './calendar.module.css';

export interface GridColumn {
  readonly id: string;
  readonly title: string;
  readonly day: CalendarDate;
  readonly appointments: readonly Appointment[];
}

interface TimeGridProps {
  readonly columns: readonly GridColumn[];
  readonly days: readonly CalendarDate[];
  readonly onOpen: (appointment: Appointment) => void;
}

/** The height of an hour; the style sheet draws its lines at this distance. */
const ROW_REM = 3;
const FIRST_HOUR_SHOWN = 8;

/** Hours from top to bottom, columns side by side. */
export function TimeGrid({ columns, days, onOpen }: TimeGridProps) {
  const { calendar } = useMessages();
  const { timezone } = usePlace().membership;
  const rows = rowsOf(days, timezone);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    box.current?.scrollTo({ top: FIRST_HOUR_SHOWN * ROW_REM * rem });
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll what is focused
    <div ref={box} className={styles.grid} role="region" aria-label={calendar.title} tabIndex={0}>
      <div className={styles.hours} aria-hidden="true">
        <div className={styles.head} />
        {rows.map(({ hour, isRepeat }) => (
          <div key={`${hour}${isRepeat}`} className={styles.hour}>
            {`${String(hour).padStart(2, '0')}:00`}
          </div>
        ))}
      </div>
      {columns.map((column) => (
        <Column key={column.id} column={column} rows={rows} onOpen={onOpen} />
      ))}
    </div>
  );
}

interface ColumnProps {
  readonly column: GridColumn;
  readonly rows: readonly HourRow[];
  readonly onOpen: (appointment: Appointment) => void;
}

function Column({ column: { title, day, appointments }, rows, onOpen }: ColumnProps) {
  const { common, calendar } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const placed = laneOf(
    appointments.filter((one) => placeOf(one, day, rows, timezone) !== undefined),
  );
  return (
    <section className={styles.column} aria-label={title}>
      <h2 className={styles.head}>{title}</h2>
      <ul role="list" className={styles.day} style={{ height: `${rows.length * ROW_REM}rem` }}>
        {placed.map(({ item, lane, lanes }) => {
          const { top, height } = placeOf(item, day, rows, timezone) ?? { top: 0, height: 0 };
          return (
            <li
              key={item.id}
              className={styles.slot}
              style={{
                top: `${top * ROW_REM}rem`,
                height: `${height * ROW_REM}rem`,
                left: `${(lane / lanes) * 100}%`,
                width: `${100 / lanes}%`,
              }}
            >
              <Button
                className={cx(styles.appointment, styles[item.status])}
                onPress={() => onOpen(item)}
              >
                <span>{format.time(item.startTime)}</span>{' '}
                <span>{nameOf(item, common.unnamed)}</span>
                {item.status !== 'scheduled' && (
                  <span className={styles.status}> {calendar.statuses[item.status]}</span>
                )}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
