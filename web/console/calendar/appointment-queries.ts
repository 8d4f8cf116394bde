import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type {
  Appointment,
  AppointmentsCreateBody,
} from '../../../sdk/src/generated/appointments.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';

const PAGE_SIZE = 100;
/** Appointments that began before the first day may reach into it. */
const BEFORE_MS = 86_400_000;

/** Returns the appointments between two moments, without the cancelled ones. */
export function useAppointments(from: number, to: number) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'appointments', from, to],
    async queryFn({ signal }) {
      const query = { startDate: from - BEFORE_MS, endDate: to - 1, limit: PAGE_SIZE };
      const found: Appointment[] = [];
      for await (const one of clientOf(subAccountId).appointments.iterate(query, { signal })) {
        if (one.status !== 'cancelled' && Date.parse(one.endTime) > from) {
          found.push(one);
        }
      }
      return found;
    },
    placeholderData: (previous) => previous,
  });
}

/** Returns one appointment; none is loaded for null. */
export function useAppointment(id: string | null) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'appointments', 'one', id],
    queryFn: ({ signal }) => clientOf(subAccountId).appointments.get(id ?? '', { signal }),
    enabled: id !== null,
  });
}

/** In epoch milliseconds. */
export interface SlotTimes {
  readonly startTime: number;
  readonly endTime: number;
}

export type AppointmentChange =
  | { readonly kind: 'confirmed' | 'completed' | 'no_show' }
  | { readonly kind: 'cancel' }
  | ({ readonly kind: 'move'; readonly assignedTo?: string | undefined } & SlotTimes);

/** Cancels, marks or moves an appointment. */
function useChangeAppointment() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const { appointments } = clientOf(subAccountId);
  return useMutation({
    async mutationFn({
      id,
      change,
    }: {
      id: string;
      change: AppointmentChange;
    }): Promise<Appointment | undefined> {
      if (change.kind === 'cancel') {
        await appointments.cancel(id);
        return undefined;
      }
      if (change.kind === 'move') {
        const { startTime, endTime, assignedTo } = change;
        return appointments.reschedule(id, { startTime, endTime, assignedTo });
      }
      return appointments.update(id, { status: change.kind });
    },
    onSettled: () => refreshCalendar(queries, subAccountId),
  });
}

/**
 * Changes an appointment, and says that it worked or what went wrong. A move names the time and the member,
 * and can be undone.
 */
export function useChangeWithNotice() {
  const { calendar, common, planner } = useMessages();
  const describe = useErrorText();
  const describeMove = useMoveText();
  const { mutate, isPending } = useChangeAppointment();
  const submit = (before: Appointment, change: AppointmentChange, onDone: () => void) => {
    const { startTime, endTime, assignedTo } = before;
    const undo = () => {
      const times = { startTime: Date.parse(startTime), endTime: Date.parse(endTime) };
      const back = { kind: 'move' as const, ...times, assignedTo: assignedTo ?? undefined };
      apply(back, () => showToast({ text: planner.movedBack }));
    };
    const apply = (wanted: AppointmentChange, onSuccess: (after?: Appointment) => void) =>
      mutate(
        { id: before.id, change: wanted },
        {
          onSuccess,
          onError(error) {
            const { title, detail } = describe(error);
            showToast({ text: title, detail, isError: true });
          },
        },
      );
    apply(change, (after) => {
      if (change.kind !== 'move') {
        showToast({ text: calendar.done[change.kind] });
      } else if (after) {
        const action = { label: common.undo, onPress: undo };
        showToast({ ...describeMove(before, after), action });
      }
      onDone();
    });
  };
  return { submit, isPending };
}

/** Returns the function that says where an appointment was moved, and who had it if that changed. */
function useMoveText() {
  const { planner } = useMessages();
  const format = useFormat();
  const { data: team = [] } = useTeam();
  const nameOf = (member: string | null) => team.find(({ id }) => id === member)?.name;
  return (before: Appointment, after: Appointment) => {
    const [member, earlier] = [nameOf(after.assignedTo), nameOf(before.assignedTo)];
    return {
      text: planner.movedTo(format.dayAndTime(after.startTime), member),
      detail: earlier === undefined || earlier === member ? undefined : planner.insteadOf(earlier),
    };
  };
}

/** Books a slot. */
export function useBook() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AppointmentsCreateBody) => clientOf(subAccountId).appointments.create(body),
    onSettled: () => refreshCalendar(queries, subAccountId),
  });
}

const refreshCalendar = (queries: QueryClient, subAccountId: string) =>
  Promise.all(
    ['appointments', 'schedule', 'slots', 'waiting', 'why'].map((kind) =>
      queries.invalidateQueries({ queryKey: [subAccountId, kind] }),
    ),
  );
