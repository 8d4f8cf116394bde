import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { useUnsaved } from '../../shell/use-unsaved.tsx';
import { Button } from '../../ui/button.tsx';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { EntryFields } from './entry-fields.tsx';
import type { Entry, EntryField } from './entry.ts';
import { useSection } from './section-queries.ts';
import { useEntryForm } from './use-entry-form.ts';
import styles from './forms.module.css';

interface SingleTabProps {
  readonly section: string;
  readonly fieldsFor: (entry: Entry | undefined) => readonly EntryField[];
  /** Completes what is saved. */
  readonly complete?: (entry: Entry) => Entry;
  readonly onSaved?: () => void;
}

/** A section of the manifest with one entry, as a form. */
export function SingleTab({ section, fieldsFor, ...props }: SingleTabProps) {
  const { entries, error, refetch, readAgain } = useSection(section);
  if (entries === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  return (
    <SingleForm
      {...props}
      section={section}
      fields={fieldsFor(entries[0])}
      entry={entries[0]}
      readAgain={async () => (await readAgain())[0]}
    />
  );
}

interface SingleFormProps extends Omit<SingleTabProps, 'fieldsFor'> {
  readonly fields: readonly EntryField[];
  /** Undefined if the manifest has none yet. */
  readonly entry: Entry | undefined;
  readonly readAgain: () => Promise<Entry | undefined>;
}

function SingleForm({ section, fields, entry, readAgain, complete, onSaved }: SingleFormProps) {
  const { common } = useMessages();
  const form = useEntryForm({
    section,
    shape: 'single',
    fields,
    entry,
    readAgain,
    ...(complete && { complete }),
  });
  const unsaved = useUnsaved(form.isChanged);
  const { attempt, dialog } = useAttempts();
  const submit = async () => {
    if (await form.submit()) {
      showToast({ text: common.saved });
      onSaved?.();
    }
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(submit);
      }}
    >
      <ConflictNote conflict={form.conflict} />
      <EntryFields form={form} />
      <div>
        <Button look="primary" type="submit" isPending={form.isPending}>
          {common.save}
        </Button>
      </div>
      {dialog}
      {unsaved.dialog}
    </form>
  );
}
