import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { waiting, type WaitingPlace } from '../../../sdk/src/generated/waiting.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

const PAGE_SIZE = 100;

/** Returns everyone who waits for a full day, first in line first. */
export function useWaiting() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'waiting'],
    async queryFn({ signal }) {
      const found: WaitingPlace[] = [];
      const { iterate } = waiting(consoleCalls(subAccountId));
      for await (const one of iterate({ limit: PAGE_SIZE }, { signal })) {
        found.push(one);
      }
      return found;
    },
  });
}

/** Removes a customer from the waiting list. */
export function useRemoveWaiting() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => waiting(consoleCalls(subAccountId)).remove(id),
    // A slot that was held for the customer is free, or held for the next.
    onSettled: () =>
      Promise.all(
        ['waiting', 'schedule', 'slots'].map((kind) =>
          queries.invalidateQueries({ queryKey: [subAccountId, kind] }),
        ),
      ),
  });
}
