import { isSameMonth, isToday, type CalendarDate } from '@internationalized/date';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { SkeletonText } from '../ui/skeleton.tsx';
import { nameOf } from './appointment-name.ts';
import { startOf } from './day-grid.ts';
import { monthOf, onDay } from './shown-days.ts';
import styles from './calendar.module.css';

const SHOWN_MAX = 3;

interface MonthGridProps {
  readonly days: readonly CalendarDate[];
  readonly appointments: readonly Appointment[];
  readonly isLoading: boolean;
  readonly onOpen: (appointment: Appointment) => void;
  readonly onDay: (day: CalendarDate) => void;
}

/** A month in weeks: the first appointments of each day, and how many more there are. */
export function MonthGrid({ days, appointments, isLoading, onOpen, onDay: show }: MonthGridProps) {
  const { agenda, common } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const month = monthOf(days);
  return (
    <ol role="list" className={styles.month} aria-busy={isLoading}>
      {days.map((day) => {
        const found = onDay(appointments, day, timezone);
        const title = format.day(startOf(day, timezone));
        return (
          <li
            key={day.toString()}
            aria-current={isToday(day, timezone) ? 'date' : undefined}
            className={cx(styles.monthDay, month && !isSameMonth(day, month) && styles.otherMonth)}
          >
            <Button look="ghost" isSmall onPress={() => show(day)}>
              {title}
            </Button>
            {isLoading && found.length === 0 && <SkeletonText />}
            {found.slice(0, SHOWN_MAX).map((one) => (
              <Button key={one.id} isSmall onPress={() => onOpen(one)}>
                {`${format.time(one.startTime)} ${nameOf(one, common.unnamed)}`}
              </Button>
            ))}
            {found.length > SHOWN_MAX && (
              <Button
                look="ghost"
                isSmall
                aria-label={`${title}: ${agenda.more(found.length - SHOWN_MAX)}`}
                onPress={() => show(day)}
              >
                {agenda.more(found.length - SHOWN_MAX)}
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
