import type { CalendarDate } from '@internationalized/date';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { useWhy, type WhyQuery } from '../why/why-queries.ts';
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
          <strong>{planner.refused}</strong> {describe(reason.rule, reason.record?.id)}
          {WITH_FIGURES.has(reason.rule) && (
            <>
              {' '}
              {/* The server explains in English, in every language of the console. */}
              <span lang="en">{reason.sentence}</span>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Reasons whose sentence says more: how much notice, or who is busy until when. */
const WITH_FIGURES: ReadonlySet<string> = new Set([
  'too_soon',
  'too_far_ahead',
  'slot_unavailable',
]);

/** Returns the function that words a reason, with the opening hours of the calendar on the day. */
function useReason(date: CalendarDate): (rule: string, calendarId: string | undefined) => string {
  const { planner } = useMessages();
  const zone = useZone();
  const format = useFormat();
  const { data: schedule } = useSchedule([date]);
  return (rule, calendarId) => {
    const day = format.day(startOf(date, zone));
    const spans = onDay(schedule?.hours ?? [], date, zone)
      .filter((one) => one.calendarId === calendarId)
      .map(({ startTime, endTime }) => `${format.time(startTime)}–${format.time(endTime)}`);
    const hours = [...new Set(spans)].join(', ');
    const texts: Readonly<Record<string, string>> = {
      ...planner.refusals,
      date_unavailable: planner.closedOn(day),
      day_unavailable: planner.closedOn(day),
      outside_hours: hours === '' ? planner.closedOn(day) : planner.openOn(day, hours),
      day_full: planner.fullOn(day),
    };
    return texts[rule] ?? '';
  };
}
