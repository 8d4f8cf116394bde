import type { CalendarDate } from '@internationalized/date';
import { useState } from 'react';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import type { TeamMember } from '../../../sdk/src/generated/team.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { ErrorState } from '../ui/states.tsx';
import { useChangeWithNotice } from './appointment-queries.ts';
import type { Grab } from './appointment-card.tsx';
import { startOf } from './day-grid.ts';
import type { GridColumn, PickedSlot } from './grid-column.ts';
import { gridEntries } from './grid-entries.ts';
import { MoveDialog } from './move-dialog.tsx';
import { useFreeSlots, useSchedule, type Schedule } from './schedule-queries.ts';
import { TimeGrid } from './time-grid.tsx';

interface PlannerProps {
  readonly view: 'day' | 'week';
  readonly days: readonly CalendarDate[];
  /** The member who is shown alone. */
  readonly member: string | null;
  readonly appointments: readonly Appointment[];
  /** While the appointments are loaded. */
  readonly isLoading: boolean;
  readonly onOpen: (appointment: Appointment) => void;
  /** Missing for people who may not book. */
  readonly onPick: ((picked: PickedSlot) => void) | undefined;
}

/** A day or a week by the hour, in which appointments are booked and moved. */
export function Planner({ days, onOpen, onPick, ...shown }: PlannerProps) {
  const schedule = useSchedule(days);
  const team = useTeam();
  const columns = useColumns({ days, schedule: schedule.data, team: team.data, ...shown });
  const { submit, isPending } = useChangeWithNotice();
  const [grab, setGrab] = useState<Grab>();
  const [refused, setRefused] = useState<{ appointment: Appointment; start: number }>();
  const moved = grab && ({ kind: 'move', appointmentId: grab.appointment.id } as const);
  const { data: slots } = useFreeSlots(moved ?? null, days);
  return (
    <>
      {schedule.isLoadingError && (
        <ErrorState error={schedule.error} onRetry={() => void schedule.refetch()} />
      )}
      <TimeGrid
        columns={columns}
        days={days}
        isLoading={shown.isLoading || schedule.isPending || team.isPending}
        onOpen={onOpen}
        onPick={onPick}
        onGrab={onPick && setGrab}
        drag={grab && { ...grab, slots }}
        onDrop={(appointment, start, slot) => {
          if (slot === undefined) {
            setRefused({ appointment, start });
          } else if (slot.startTime !== Date.parse(appointment.startTime)) {
            const { startTime, endTime } = slot;
            submit(appointment, { kind: 'move', startTime, endTime }, () => {});
          }
        }}
      />
      {refused && (
        <MoveDialog
          {...refused}
          isPending={isPending}
          onClose={() => setRefused(undefined)}
          onMove={(to) =>
            submit(refused.appointment, { kind: 'move', ...to }, () => setRefused(undefined))
          }
        />
      )}
    </>
  );
}

interface ColumnsOptions extends Pick<PlannerProps, 'view' | 'days' | 'member' | 'appointments'> {
  /** Undefined until they are known. */
  readonly schedule: Schedule | undefined;
  readonly team: readonly TeamMember[] | undefined;
}

const UNASSIGNED = 'unassigned';

/** A column per day of the week, or per member on a day. */
function useColumns(options: ColumnsOptions): readonly GridColumn[] {
  const { view, days, member, appointments, schedule, team: everyone } = options;
  const { thread } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const [day] = days;
  const { hours, taken = [], classes = [] } = schedule ?? {};
  const entries = gridEntries(appointments, classes);
  const isShown = (id: string | null) => member === null || id === member;
  const team = (everyone ?? []).filter(({ id }) => isShown(id));
  if (day === undefined) {
    return [];
  }
  const hoursOf = (isIn: (id: string | null) => boolean) =>
    hours?.filter(({ memberIds }) => memberIds.some(isIn));
  // Before the members are known, a day is one column, as in the week.
  if (view === 'week' || everyone === undefined) {
    const busy = taken.filter(({ memberId }) => isShown(memberId));
    return days.map((one) => ({
      id: one.toString(),
      title: format.weekday(startOf(one, timezone)),
      day: one,
      memberId: member,
      isOf: isShown,
      lanes: team.filter(({ id }) => busy.some(({ memberId }) => memberId === id)),
      entries,
      hours: hoursOf(isShown),
      taken: busy,
    }));
  }
  const columnOf = (id: string, title: string, isIn: (memberId: string | null) => boolean) => ({
    id,
    title,
    day,
    memberId: everyone.some((one) => one.id === id) ? id : null,
    isOf: isIn,
    lanes: team.filter((one) => one.id === id),
    entries: entries.filter(({ assignedTo }) => isIn(assignedTo)),
    hours: hoursOf(isIn),
    taken: taken.filter(({ memberId }) => isIn(memberId)),
  });
  const isUnknown = (id: string | null) => !everyone.some((one) => one.id === id);
  const others = columnOf(UNASSIGNED, thread.unassigned, isUnknown);
  const hasOthers = others.entries.length > 0 || (others.hours ?? []).length > 0;
  return [
    ...team.map(({ id, name }) => columnOf(id, name, (one) => one === id)),
    ...(team.length === 0 || (member === null && hasOthers) ? [others] : []),
  ];
}
