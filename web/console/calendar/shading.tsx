import type { CalendarDate } from '@internationalized/date';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { SkeletonText } from '../ui/skeleton.tsx';
import { boxOf, type GridColumn } from './grid-column.ts';
import type { GridEntry } from './grid-entries.ts';
import {
  endOf,
  gapsOf,
  laneOfTaken,
  missingRows,
  placeOf,
  startOf,
  type HourRow,
  type Laned,
} from './day-grid.ts';
import type { HoursSpan, TakenSpan } from './schedule-queries.ts';
import calendarStyles from './calendar.module.css';
import styles from './shading.module.css';

interface ShadingProps {
  readonly column: GridColumn;
  readonly rows: readonly HourRow[];
  /** The cards of the column, side by side where they overlap. */
  readonly placed: readonly Laned<GridEntry>[];
}

/** A day of which it is not known yet what is open and taken: neither open nor closed. */
export const UnknownHours = ({ rows }: Pick<ShadingProps, 'rows'>) => (
  <div aria-hidden="true" className={styles.unknown}>
    {rows.map(({ hour, isRepeat }, index) => (
      <div
        key={`${hour}${isRepeat}`}
        className={styles.unknownHour}
        style={boxOf({ top: index, height: 1 })}
      >
        <SkeletonText />
      </div>
    ))}
  </div>
);

/** What shapes a day: time outside the hours, hours that the clocks skip, and what members cannot give. */
export function Shading({ column, rows, placed }: ShadingProps) {
  const { timezone } = usePlace().membership;
  const { day, hours, taken } = column;
  return (
    <>
      {hours && <Closed hours={hours} day={day} />}
      {missingRows(day, rows, timezone).map((place) => (
        <div key={place.top} className={styles.missing} style={boxOf(place)} />
      ))}
      {(hours ? gapsOf(hours, day, timezone) : []).map((gap) => {
        const place = placeOf(gap, day, rows, timezone);
        return place && <div key={gap.startTime} className={styles.closed} style={boxOf(place)} />;
      })}
      <ul role="list" className={styles.takenList}>
        {taken.map((span) => (
          <Taken
            key={`${span.kind} ${span.memberId} ${span.startTime}`}
            span={span}
            column={column}
            rows={rows}
            placed={placed}
          />
        ))}
      </ul>
    </>
  );
}

interface ClosedProps {
  readonly day: CalendarDate;
  readonly hours: readonly HoursSpan[];
}

/** The hours in words, for people who do not see the shading. */
function Closed({ day, hours }: ClosedProps) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const [from, until] = [startOf(day, timezone), endOf(day, timezone)];
  const spans = hours
    .filter((span) => Date.parse(span.startTime) < until && Date.parse(span.endTime) > from)
    .map(({ startTime, endTime }) => `${format.time(startTime)}–${format.time(endTime)}`);
  const text = [...new Set(spans)].join(', ');
  return <p className={calendarStyles.unseen}>{text ? planner.open(text) : planner.closed}</p>;
}

interface TakenProps extends ShadingProps {
  readonly span: TakenSpan;
}

/** The members of a column have a lane each. */
function Taken({ span, column: { day, lanes }, rows, placed }: TakenProps) {
  const { planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const place = placeOf(span, day, rows, timezone);
  if (place === undefined) {
    return null;
  }
  const { left, width } = laneOfTaken(span, lanes, placed);
  const name = lanes.length > 1 ? lanes.find(({ id }) => id === span.memberId)?.name : undefined;
  const times = `${format.time(span.startTime)}–${format.time(span.endTime)}`;
  const text = [planner.taken[span.kind], name].filter(Boolean).join(', ');
  return (
    <li
      className={cx(styles.taken, styles[span.kind])}
      title={`${text} ${times}`}
      style={{
        ...boxOf(place),
        left: `${left * 100}%`,
        width: `${width * 100}%`,
      }}
    >
      <span className={span.kind === 'buffer' ? calendarStyles.unseen : styles.takenText}>
        {text} <span className={calendarStyles.unseen}>{times}</span>
      </span>
    </li>
  );
}
