import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { refreshLists } from '../contacts/contact-queries.ts';
import { useMessages } from '../i18n/messages.tsx';
import type { Deletion } from '../ui/form-dialog.tsx';
import { showToast } from '../ui/toast.tsx';
import { useShowError } from '../ui/use-show-error.ts';

interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/** Returns how a record is deleted; `onDeleted` leaves the page that shows it. */
export function useDeleteRecord(
  kind: 'contacts' | 'opportunities' | 'tasks',
  onDeleted: () => void,
): (record: NamedRecord) => Deletion {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const { common } = useMessages();
  const onError = useShowError();
  const { mutate } = useMutation({
    mutationFn: ({ id }: NamedRecord) => clientOf(subAccountId)[kind].delete(id),
    async onSuccess(_, { name }) {
      onDeleted();
      showToast({ text: common.deleted, detail: name });
      await refreshLists(queries, subAccountId);
    },
    onError,
  });
  return ({ id, name }) => ({ name, onConfirm: () => mutate({ id, name }) });
}
