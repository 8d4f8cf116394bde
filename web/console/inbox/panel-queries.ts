import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

const SHOWN_MAX = 5;
const PAGE_SIZE = 100;

/** Returns the contact's next appointments, soonest first. */
export function useUpcomingAppointments(contactId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'appointments', 'upcoming', contactId],
    async queryFn({ signal }) {
      const query = { contactId, startDate: Date.now(), limit: PAGE_SIZE };
      const { data } = await clientOf(subAccountId).appointments.list(query, { signal });
      return data
        .filter(({ status }) => status === 'scheduled' || status === 'confirmed')
        .toSorted((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime))
        .slice(0, SHOWN_MAX);
    },
  });
}

export function useOpenDeals(contactId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'opportunities', 'open', contactId],
    async queryFn({ signal }) {
      const query = { contactId, status: 'open', limit: SHOWN_MAX } as const;
      return (await clientOf(subAccountId).opportunities.list(query, { signal })).data;
    },
  });
}

/** Returns the contact's tasks that are not done, those in review after the others. */
export function useOpenTasks(contactId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'tasks', 'open', contactId],
    async queryFn({ signal }) {
      const { tasks } = clientOf(subAccountId);
      const pages = await Promise.all(
        (['todo', 'in_review'] as const).map((status) =>
          tasks.list({ contactId, status, limit: SHOWN_MAX }, { signal }),
        ),
      );
      return pages.flatMap(({ data }) => data).slice(0, SHOWN_MAX);
    },
  });
}
