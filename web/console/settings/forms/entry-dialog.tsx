import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { EntryFields } from './entry-fields.tsx';
import type { Entry } from './entry.ts';
import type { useEntryForm } from './use-entry-form.ts';

interface EntryDialogProps {
  readonly title: string;
  readonly form: ReturnType<typeof useEntryForm>;
  readonly onClose: () => void;
  /** Called after the dialog has closed. */
  readonly onSaved: (entry: Entry) => void;
  /** By default the fields of the form, in their order. */
  readonly children?: ReactNode;
}

/** The dialog of one entry. It stays open while the form shows why nothing was saved. */
export function EntryDialog({ title, form, onClose, onSaved, children }: EntryDialogProps) {
  const { common } = useMessages();
  const { attempt, dialog } = useAttempts();
  const submit = async () => {
    const saved = await form.submit();
    if (saved) {
      onClose();
      onSaved(saved);
    }
  };
  return (
    <>
      <FormDialog
        title={title}
        submit={common.save}
        isOpen
        isWide
        isPending={form.isPending}
        onClose={onClose}
        onSubmit={() => attempt(submit)}
      >
        <ConflictNote conflict={form.conflict} />
        {children ?? <EntryFields form={form} />}
      </FormDialog>
      {dialog}
    </>
  );
}

/**
 * Returns how the form of an entry of a list reads that entry again. A new one is not found: it gets another
 * key if its own was taken meanwhile.
 */
export const rereadOf =
  (entry: Entry | undefined, readAgain: () => Promise<readonly Entry[]>) =>
  async (saved: Entry): Promise<Entry | undefined> => {
    const current = await readAgain();
    return entry && current.find(({ key }) => key === saved['key']);
  };
