import { useState } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import settingsStyles from '../settings.module.css';
import { ConflictNote } from './conflict-note.tsx';
import { EntryActions } from './entry-actions.tsx';
import { EntryFields } from './entry-fields.tsx';
import type { Entry, EntryField } from './entry.ts';
import { useSection } from './section-queries.ts';
import { useEntryForm } from './use-entry-form.ts';
import { useRemoval } from './use-removal.tsx';

type Row = Entry & { readonly id: string; readonly key: string; readonly name: string };

interface EntriesTabProps {
  readonly title: string;
  readonly section: 'serviceTypes' | 'calendars' | 'forms';
  readonly fields: readonly EntryField[];
  readonly columns: readonly TableColumn<Row>[];
  /** The button for a new entry; without it, entries are added in the manifest. */
  readonly add?: string;
}

/** A section of the manifest as a table, whose entries open in a form. */
export function EntriesTab({ title, section, fields, columns, add }: EntriesTabProps) {
  const { forms, settings } = useMessages();
  const { entries, error, refetch, readAgain } = useSection(section);
  const [edited, setEdited] = useState<Edited>();
  const removal = useRemoval(section, forms.removeTexts[section]);
  const rows = (entries ?? []).map((entry) => ({ ...entry, id: entry['key'] }) as Row);
  const actions: TableColumn<Row> = {
    id: 'actions',
    title: settings.actionsTitle,
    width: '9rem',
    cell: ({ key, name }) => (
      <EntryActions
        name={name}
        onEdit={() => setEdited({ entry: entries?.find((entry) => entry['key'] === key) })}
        onRemove={() => removal.ask({ key, name })}
      />
    ),
  };
  return (
    <>
      {add !== undefined && (
        <div className={settingsStyles.bar}>
          <Button look="primary" icon="plus" onPress={() => setEdited({ entry: undefined })}>
            {add}
          </Button>
        </div>
      )}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {entries === undefined && error === null && <SkeletonRows />}
      {entries && (
        <Table
          label={title}
          columns={[...columns, actions]}
          rows={rows}
          empty={<NoEntries section={section} isInManifest={add === undefined} />}
        />
      )}
      {entries && edited && (
        <EntryDialog
          title={edited.entry === undefined ? (add ?? title) : String(edited.entry['name'])}
          section={section}
          fields={fields}
          entries={entries}
          entry={edited.entry}
          readAgain={readAgain}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removal.dialog}
    </>
  );
}

interface NoEntriesProps extends Pick<EntriesTabProps, 'section'> {
  /** Whether entries are added in the manifest. */
  readonly isInManifest: boolean;
}

function NoEntries({ section, isInManifest }: NoEntriesProps) {
  const { forms } = useMessages();
  return (
    <EmptyState
      icon="settings"
      title={forms.empty}
      action={isInManifest && <Link href="/settings?tab=manifest">{forms.openManifest}</Link>}
    >
      {isInManifest && forms.emptyText(section)}
    </EmptyState>
  );
}

/** The opened entry; undefined for a new one. */
interface Edited {
  readonly entry: Entry | undefined;
}

interface EntryDialogProps extends Pick<EntriesTabProps, 'title' | 'section' | 'fields'>, Edited {
  readonly entries: readonly Entry[];
  readonly readAgain: () => Promise<readonly Entry[]>;
  readonly onClose: () => void;
}

function EntryDialog(props: EntryDialogProps) {
  const { title, section, fields, entries, entry, readAgain, onClose } = props;
  const { common } = useMessages();
  const { attempt, dialog } = useAttempts();
  const form = useEntryForm({
    section,
    shape: 'list',
    fields,
    entry,
    complete: (saved) => ({ key: keyOf(String(saved['name']), entries), ...saved }),
    async readAgain(saved) {
      const current = await readAgain();
      // A new entry gets another key if its own was taken meanwhile.
      return entry && current.find(({ key }) => key === saved['key']);
    },
  });
  const submit = async () => {
    const saved = await form.submit();
    if (saved) {
      showToast({ text: common.saved, detail: String(saved['name']) });
      onClose();
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
        <EntryFields form={form} />
      </FormDialog>
      {dialog}
    </>
  );
}

/** Returns a key of the manifest that is made of a name and not taken yet. */
export function keyOf(name: string, entries: readonly Entry[]): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const key = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'entry';
  const taken = new Set(entries.map((entry) => entry['key']));
  const numbered = Array.from({ length: taken.size + 1 }, (_, index) => `${key}-${index + 2}`);
  return [key, ...numbered].find((one) => !taken.has(one)) ?? key;
}
