import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '../../../sdk/src/api.ts';
import { consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import type { ContactFilter } from './contact-filter.ts';

/** A filter and columns that the user saved; the list of all contacts has no name. */
export interface ContactView {
  readonly id: string;
  readonly name: string | null;
  readonly filter: ContactFilter;
  readonly columns: readonly string[];
}

export interface NamedView extends ContactView {
  readonly name: string;
}

const PATH = '/api/v1/contact-views';

export function useContactViews() {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'contact-views'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<ContactView[]>('GET', PATH, { options: { signal } }),
    staleTime: Infinity,
  });
}

function useViewChange<I, R>(change: (calls: Api, input: I) => Promise<R>) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => change(consoleCalls(subAccountId), input),
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId, 'contact-views'] }),
  });
}

export const useCreateView = () =>
  useViewChange((calls, body: Omit<NamedView, 'id'>) =>
    calls.data<NamedView>('POST', PATH, { body }),
  );

export const useUpdateView = () =>
  useViewChange((calls, { id, ...body }: Partial<NamedView> & { readonly id: string }) =>
    calls.data<NamedView>('PATCH', `${PATH}/${id}`, { body }),
  );

export const useDeleteView = () =>
  useViewChange((calls, id: string) => calls.data<object>('DELETE', `${PATH}/${id}`, {}));

/** Saves the columns of a view, or those of the list of all contacts. They change on the page at once. */
export function useSaveColumns(view: NamedView | undefined) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const queryKey = [subAccountId, 'contact-views'];
  return useMutation({
    mutationFn: (columns: readonly string[]) =>
      consoleCalls(subAccountId).data<object>(
        view ? 'PATCH' : 'PUT',
        `${PATH}/${view?.id ?? 'default'}`,
        { body: { columns } },
      ),
    onMutate(columns) {
      const all: ContactView = { id: 'default', name: null, filter: {}, columns };
      queries.setQueryData<readonly ContactView[]>(queryKey, (views = []) =>
        view
          ? views.map((one) => (one.id === view.id ? { ...one, columns } : one))
          : [...views.filter(({ name }) => name !== null), all],
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}
