import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import type {
  ContactsCreateBody,
  ContactsUpdateBody,
} from '../../../sdk/src/generated/contacts.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { withPhone, type ContactFilter } from './contact-filter.ts';
import { readPhone, useSearchedPhone } from './searched-phone.ts';

const PAGE_SIZE = 50;

/** Returns the filter as the client takes it, once it is known whether its search is a phone number. */
function useSentQuery(filter: ContactFilter) {
  const phone = useSearchedPhone(filter.search ?? '');
  const { tags, ...query } = withPhone(filter, phone);
  return {
    query: { ...query, ...(tags && { tags: [...tags] }) },
    isKnown: phone !== undefined,
  };
}

/** Returns the number of contacts that a filter finds, counted when it is asked for. */
export function useContactCount(filter: ContactFilter) {
  const { subAccountId } = usePlace().membership;
  const { query, isKnown } = useSentQuery(filter);
  return useQuery({
    enabled: isKnown,
    queryKey: [subAccountId, 'contacts', 'count', query],
    queryFn: async ({ signal }) =>
      (await clientOf(subAccountId).contacts.list({ ...query, limit: 1 }, { signal })).meta.total,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Returns the contacts of a filter, page by page. */
export function useContacts(filter: ContactFilter) {
  const { subAccountId } = usePlace().membership;
  const { query, isKnown } = useSentQuery(filter);
  return useInfiniteQuery({
    enabled: isKnown,
    queryKey: [subAccountId, 'contacts', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      clientOf(subAccountId).contacts.list(
        { ...query, limit: PAGE_SIZE, cursor: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
  });
}

/** Returns a contact; none is loaded for null. */
export function useContact(id: string | null) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'contact', id],
    queryFn: ({ signal }) => clientOf(subAccountId).contacts.get(id ?? '', { signal }),
    enabled: id !== null,
  });
}

/** Returns the function that writes the phone of a contact in E.164, which is all that the API takes. */
function useReadPhone() {
  const { subAccountId } = usePlace().membership;
  const { contacts } = useMessages();
  return async <B extends ContactsUpdateBody>(body: B): Promise<B> => {
    if (!body.phone) {
      return body;
    }
    const { number, examples } = await readPhone(subAccountId, body.phone);
    if (number === null) {
      const message = contacts.wrongPhone(examples.national, examples.international);
      const issues = [{ in: 'body', path: '/phone', message }];
      throw new FrontdeskError({ code: 'VALIDATION_ERROR', message, details: { issues } });
    }
    return { ...body, phone: number };
  };
}

export function useCreateContact() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const withReadPhone = useReadPhone();
  return useMutation({
    mutationFn: async (body: ContactsCreateBody) =>
      clientOf(subAccountId).contacts.create(await withReadPhone(body)),
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId, 'contacts'] }),
  });
}

export function useUpdateContact(id: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const withReadPhone = useReadPhone();
  return useMutation({
    mutationFn: async (body: ContactsUpdateBody) =>
      clientOf(subAccountId).contacts.update(id, await withReadPhone(body)),
    async onSuccess(contact) {
      queries.setQueryData([subAccountId, 'contact', id], contact);
      await refreshLists(queries, subAccountId);
    },
  });
}

/** Fetches the lists again that contain contacts or name them. */
export async function refreshLists(queries: QueryClient, subAccountId: string): Promise<void> {
  const lists = ['contacts', 'opportunities', 'tasks'];
  await Promise.all(
    lists.map((kind) => queries.invalidateQueries({ queryKey: [subAccountId, kind] })),
  );
}
