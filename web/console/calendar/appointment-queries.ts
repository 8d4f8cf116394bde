import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Appointment } from '../../../sdk/src/generated/appointments.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

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

export type AppointmentChange =
  | { readonly kind: 'confirmed' | 'completed' | 'no_show' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'move'; readonly startTime: number; readonly endTime: number };

/** Cancels, marks or moves an appointment. */
export function useChangeAppointment(id: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const { appointments } = clientOf(subAccountId);
  return useMutation({
    async mutationFn(change: AppointmentChange): Promise<void> {
      if (change.kind === 'cancel') {
        await appointments.cancel(id);
      } else if (change.kind === 'move') {
        const { startTime, endTime } = change;
        await appointments.reschedule(id, { startTime, endTime });
      } else {
        await appointments.update(id, { status: change.kind });
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'appointments'] }),
  });
}
