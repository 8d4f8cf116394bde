import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type {
  Appointment,
  AppointmentsCreateBody,
} from '../../../sdk/src/generated/appointments.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
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
  | ({ readonly kind: 'move' } & SlotTimes);

/** Cancels, marks or moves an appointment. */
function useChangeAppointment() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const { appointments } = clientOf(subAccountId);
  return useMutation({
    async mutationFn({ id, change }: { id: string; change: AppointmentChange }): Promise<void> {
      if (change.kind === 'cancel') {
        await appointments.cancel(id);
      } else if (change.kind === 'move') {
        const { startTime, endTime } = change;
        await appointments.reschedule(id, { startTime, endTime });
      } else {
        await appointments.update(id, { status: change.kind });
      }
    },
    onSettled: () => refreshCalendar(queries, subAccountId),
  });
}

/** Changes an appointment, and says that it worked or what went wrong. */
export function useChangeWithNotice() {
  const { calendar } = useMessages();
  const describe = useErrorText();
  const { mutate, isPending } = useChangeAppointment();
  const submit = ({ id }: Appointment, change: AppointmentChange, onDone: () => void) =>
    mutate(
      { id, change },
      {
        onSuccess() {
          showToast({ text: calendar.changed });
          onDone();
        },
        onError(error) {
          const { title, detail } = describe(error);
          showToast({ text: title, detail, isError: true });
        },
      },
    );
  return { submit, isPending };
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
