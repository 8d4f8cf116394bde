import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { clientOf, consoleCalls } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { useErrorText } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { refreshLists } from './contact-queries.ts';
import { useMergeNames } from './merge-names.ts';
import { useMergeRows, type MergeRow } from './merge-rows.ts';
import { useShowError } from '../ui/use-show-error.ts';
import styles from './contacts.module.css';

export interface MergePreview {
  readonly result: Contact;
  readonly kept: Contact;
  readonly other: Contact;
  readonly moved: {
    readonly conversations: number;
    readonly appointments: number;
    readonly opportunities: number;
    readonly tasks: number;
  };
}

/** Returns what a merge would make of two contacts, as the server tried it out. */
function useMergePreview(keptId: string, contactId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    // Not below `contact`: once merged, the preview would be refused.
    queryKey: [subAccountId, 'merge-preview', keptId, contactId],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<MergePreview>(
        'POST',
        `/api/v1/contacts/${keptId}/merge/preview`,
        { body: { contactId }, isLookup: true, options: { signal } },
      ),
    staleTime: 0,
    gcTime: 0,
  });
}

function useMerge(keptId: string, contactId: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => clientOf(subAccountId).contacts.merge(keptId, { contactId }),
    onSuccess: () =>
      Promise.all([
        refreshLists(queries, subAccountId),
        ...['contact', 'timeline'].map((kind) =>
          queries.invalidateQueries({ queryKey: [subAccountId, kind] }),
        ),
      ]),
  });
}

interface MergeDialogProps {
  readonly keptId: string;
  readonly otherId: string;
  readonly onClose: () => void;
  readonly onMerged: (keptId: string) => void;
}

/** Shows the outcome of a merge before it is done; which contact remains can be swapped. */
export function MergeDialog({ onClose, onMerged, ...ids }: MergeDialogProps) {
  const { merging, common } = useMessages();
  const showError = useShowError();
  const describe = useErrorText();
  const namesOf = useMergeNames();
  const [chosen, setChosen] = useState<boolean>();
  const { data: first } = useMergePreview(ids.keptId, ids.otherId);
  // The contact that the team has known longer remains, unless the user decides otherwise.
  const isSwapped = chosen ?? (first !== undefined && isOlder(first.other, first.kept));
  const [keptId, otherId] = isSwapped ? [ids.otherId, ids.keptId] : [ids.keptId, ids.otherId];
  const { data: preview, error } = useMergePreview(keptId, otherId);
  const merge = useMerge(keptId, otherId);
  const submit = () =>
    merge.mutate(undefined, {
      onSuccess() {
        showToast({ text: merging.merged });
        onClose();
        onMerged(keptId);
      },
      onError: showError,
    });
  const actions = (
    <>
      {preview && (
        <Button onPress={() => setChosen(!isSwapped)}>
          {merging.swap(namesOf(preview).other)}
        </Button>
      )}
      <Button onPress={onClose}>{common.cancel}</Button>
      <Button
        look="danger"
        isDisabled={preview === undefined}
        isPending={merge.isPending}
        onPress={submit}
      >
        {merging.title}
      </Button>
    </>
  );
  return (
    <Dialog title={merging.title} isOpen isWide onClose={onClose} actions={actions}>
      {error !== null && (
        <p role="alert">
          {merging.refused}: {describe(error).detail ?? describe(error).title}
        </p>
      )}
      {preview === undefined && error === null && <SkeletonRows count={6} />}
      {preview && <Outcome preview={preview} />}
    </Dialog>
  );
}

const isOlder = (one: Contact, other: Contact): boolean =>
  Date.parse(one.createdAt) < Date.parse(other.createdAt);

/** Each field that has a value afterwards, where it comes from, and what it replaces. */
function Outcome({ preview }: { readonly preview: MergePreview }) {
  const { merging } = useMessages();
  const { kept, other } = useMergeNames()(preview);
  const rows = useMergeRows(preview);
  const { conversations, appointments, opportunities, tasks } = preview.moved;
  const moved = merging.moves(conversations, appointments, opportunities, tasks);
  const columns: readonly TableColumn<MergeRow>[] = [
    {
      id: 'field',
      title: merging.field,
      cell: ({ label }) => <span className={styles.outcome}>{label}</span>,
      width: '28%',
    },
    {
      id: 'result',
      title: merging.result,
      cell: ({ value, lost }) => (
        <span className={styles.outcome}>
          {value}
          {lost !== null && <span className={styles.lost}>{merging.insteadOf(lost)}</span>}
        </span>
      ),
    },
    {
      id: 'from',
      title: merging.from,
      cell: ({ from }) => <span className={styles.outcome}>{from}</span>,
      width: '28%',
    },
  ];
  return (
    <>
      <p>{merging.remains(kept, other)}</p>
      <Table label={merging.outcome} columns={columns} rows={rows} empty={null} />
      {moved !== '' && <p>{moved}</p>}
    </>
  );
}
