import { isToday, type CalendarDate } from '@internationalized/date';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';
import { nameOf } from './appointment-name.ts';
import { startOf } from './day-grid.ts';
import { onDay } from './shown-days.ts';
import styles from './agenda-list.module.css';

interface AgendaListProps {
  readonly days: readonly CalendarDate[];
  readonly appointments: readonly Appointment[];
  readonly isLoading: boolean;
  readonly onOpen: (appointment: Appointment) => void;
}

/** The appointments day by day; days without any are left out, except today. */
export function AgendaList({ days, appointments, isLoading, onOpen }: AgendaListProps) {
  const { agenda, calendar, common, planner } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { data: team = [] } = useTeam();
  const filled = days
    .map((day) => ({ day, found: onDay(appointments, day, timezone) }))
    .filter(({ day, found }) => found.length > 0 || isToday(day, timezone));
  if (filled.every(({ found }) => found.length === 0)) {
    return isLoading ? <SkeletonRows /> : <EmptyState icon="calendar" title={agenda.empty} />;
  }
  return filled.map(({ day, found }) => (
    <section key={day.toString()} className={styles.day}>
      <h2>{format.day(startOf(day, timezone))}</h2>
      {found.length === 0 && !isLoading && <p className={styles.none}>{planner.noneToday}</p>}
      <ul role="list">
        {found.map((one) => (
          <li key={one.id} className={styles.row}>
            <time dateTime={one.startTime}>
              {format.time(one.startTime)}–{format.time(one.endTime)}
            </time>
            <Button look="ghost" onPress={() => onOpen(one)}>
              {nameOf(one, common.unnamed)}
            </Button>
            <span className={styles.member}>
              {team.find(({ id }) => id === one.assignedTo)?.name}
            </span>
            <Badge>{calendar.statuses[one.status]}</Badge>
          </li>
        ))}
      </ul>
    </section>
  ));
}
