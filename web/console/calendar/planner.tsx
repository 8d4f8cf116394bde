import type { CalendarDate } from '@internationalized/date';
import { useState } from 'react';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { useChangeWithNotice } from './appointment-queries.ts';
import type { Grab } from './appointment-card.tsx';
import { startOf } from './day-grid.ts';
import type { GridColumn } from './grid-column.ts';
import { MoveDialog } from './move-dialog.tsx';
import { useFreeSlots, useSchedule } from './schedule-queries.ts';
import { TimeGrid } from './time-grid.tsx';

interface PlannerProps {
  readonly view: 'day' | 'week';
  readonly days: readonly CalendarDate[];
  /** The member who is shown alone. */
  readonly member: string | null;
  readonly appointments: readonly Appointment[];
  readonly onOpen: (appointment: Appointment) => void;
  /** Missing for people who may not book. */
  readonly onPick: ((start: number) => void) | undefined;
}

/** A day or a week by the hour, in which appointments are booked and moved. */
export function Planner({ view, days, member, appointments, onOpen, onPick }: PlannerProps) {
  const columns = useColumns({ view, days, member, appointments });
  const { submit, isPending } = useChangeWithNotice();
  const [grab, setGrab] = useState<Grab>();
  const [refused, setRefused] = useState<{ appointment: Appointment; start: number }>();
  const moved = grab && ({ kind: 'move', appointmentId: grab.appointment.id } as const);
  const { data: slots } = useFreeSlots(moved ?? null, days);
  return (
    <>
      <TimeGrid
        columns={columns}
        days={days}
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

type ColumnsOptions = Pick<PlannerProps, 'view' | 'days' | 'member' | 'appointments'>;

const UNASSIGNED = 'unassigned';

/** A column per day of the week, or per member on a day. */
function useColumns({ view, days, member, appointments }: ColumnsOptions): readonly GridColumn[] {
  const { thread } = useMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { data: everyone = [] } = useTeam();
  const [day] = days;
  const { data: schedule } = useSchedule(days);
  const { hours = [], taken = [] } = schedule ?? {};
  const team = everyone.filter(({ id }) => member === null || id === member);
  if (day === undefined) {
    return [];
  }
  const isShown = (id: string | null) => member === null || id === member;
  if (view === 'week') {
    const busy = taken.filter(({ memberId }) => isShown(memberId));
    return days.map((one) => ({
      id: one.toString(),
      title: format.weekday(startOf(one, timezone)),
      day: one,
      isOf: isShown,
      lanes: team.filter(({ id }) => busy.some(({ memberId }) => memberId === id)),
      appointments,
      hours: hours.filter(({ memberIds }) => memberIds.some(isShown)),
      taken: busy,
    }));
  }
  const columnOf = (id: string, title: string, isIn: (memberId: string | null) => boolean) => ({
    id,
    title,
    day,
    isOf: isIn,
    lanes: team.filter((one) => one.id === id),
    appointments: appointments.filter(({ assignedTo }) => isIn(assignedTo)),
    hours: hours.filter(({ memberIds }) => memberIds.some(isIn)),
    taken: taken.filter(({ memberId }) => isIn(memberId)),
  });
  const isUnknown = (id: string | null) => !everyone.some((one) => one.id === id);
  const others = columnOf(UNASSIGNED, thread.unassigned, isUnknown);
  const hasOthers = others.appointments.length > 0 || others.hours.length > 0;
  return [
    ...team.map(({ id, name }) => columnOf(id, name, (one) => one === id)),
    ...(team.length === 0 || (member === null && hasOthers) ? [others] : []),
  ];
}
