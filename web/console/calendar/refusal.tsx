import type { CalendarDate } from '@internationalized/date';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { useWhy, type WhyQuery, type WhyReason } from '../why/why-queries.ts';
import { startOf } from './day-grid.ts';
import { useSchedule } from './schedule-queries.ts';
import { onDay } from './shown-days.ts';
import styles from './start-field.module.css';

interface RefusalProps {
  /** Null while the start is free. */
  readonly query: WhyQuery | null;
  readonly day: CalendarDate;
}

/** Says in words why a start is refused. */
export function Refusal({ query, day }: RefusalProps) {
  const { planner } = useMessages();
  const { data } = useWhy(query);
  const describe = useReason(day);
  const [reason] = data?.happened === false ? data.reasons : [];
  return (
    <div role="status">
      {query !== null && reason && (
        <p className={styles.refusal}>
          <strong>{planner.refused}</strong> {describe(reason)}
        </p>
      )}
    </div>
  );
}

/** Returns the function that words a reason, with the opening hours of the calendar on the day. */
function useReason(date: CalendarDate): (reason: WhyReason) => string {
  const { planner } = useMessages();
  const zone = useZone();
  const format = useFormat();
  const { data: schedule } = useSchedule([date]);
  const times = (from: number | string, until: number | string) =>
    `${format.time(from)}–${format.time(until)}`;
  const takenText = ({ facts: { busy = [], needed, stepMinutes } = {} }: WhyReason) => {
    if (stepMinutes !== undefined) {
      return planner.startsEvery(format.duration(stepMinutes));
    }
    const members = busy.map(({ name, from, until, heldUntil }) =>
      heldUntil === undefined
        ? planner.busy(name, times(from, until))
        : planner.held(name, times(from, until), format.dayAndTime(heldUntil)),
    );
    const buffered = needed ? [planner.needs(times(needed.from, needed.until))] : [];
    return members.length === 0 ? planner.isTaken : [...members, ...buffered].join(' ');
  };
  return (reason) => {
    const { rule, record, facts: { noticeMinutes = 0, advanceDays = 0 } = {} } = reason;
    const day = format.day(startOf(date, zone));
    const spans = onDay(schedule?.hours ?? [], date, zone)
      .filter(({ calendarId }) => calendarId === record?.id)
      .map(({ startTime, endTime }) => times(startTime, endTime));
    const hours = [...new Set(spans)].join(', ');
    const texts: Readonly<Record<string, string>> = {
      slot_in_past: planner.isPast,
      too_soon: planner.tooSoon(format.duration(noticeMinutes)),
      too_far_ahead: planner.tooFar(format.duration(advanceDays * MINUTES_OF_DAY)),
      date_unavailable: planner.closedOn(day),
      day_unavailable: planner.closedOn(day),
      outside_hours:
        schedule === undefined
          ? ''
          : hours === ''
            ? planner.closedOn(day)
            : planner.openOn(day, hours),
      day_full: planner.fullOn(day),
      slot_unavailable: takenText(reason),
    };
    return texts[rule] ?? '';
  };
}

const MINUTES_OF_DAY = 1_440;
