import { useState } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import settingsStyles from '../settings.module.css';
import { EntryActions } from './entry-actions.tsx';
import { EntryDialog, rereadOf } from './entry-dialog.tsx';
import type { Entry, EntryField } from './entry.ts';
import { useSection } from './section-queries.ts';
import { keyFrom } from './key-from.ts';
import { useEntryForm } from './use-entry-form.ts';
import { useRemoval } from './use-removal.tsx';

type Row = Entry & { readonly id: string; readonly key: string; readonly name: string };

interface EntriesTabProps {
  readonly title: string;
  readonly section: 'serviceTypes' | 'calendars' | 'forms';
  readonly fields: readonly EntryField[];
  readonly columns: readonly TableColumn<Row>[];
  /** The button for a new entry. */
  readonly add: string;
  /** Returns what a new entry begins with. */
  readonly fresh?: () => Entry | Promise<Entry>;
  /** Completes what is saved; `entries` are those of the section. */
  readonly complete?: (entry: Entry, entries: readonly Entry[]) => Entry;
  /** What is lost when an entry is removed. */
  readonly removeTextOf: (entry: Entry) => string;
  /** What the empty list says. */
  readonly empty: { readonly title: string; readonly text?: string };
}

/** A section of the manifest as a table, whose entries open in a form. */
export function EntriesTab(props: EntriesTabProps) {
  const { title, section, columns, add, fresh, removeTextOf } = props;
  const { settings } = useMessages();
  const { entries, error, refetch, readAgain } = useSection(section);
  const [edited, setEdited] = useState<Edited>();
  const removal = useRemoval(section);
  const rows = (entries ?? []).map((entry) => ({ ...entry, id: entry['key'] }) as Row);
  const actions: TableColumn<Row> = {
    id: 'actions',
    title: settings.actionsTitle,
    width: '9rem',
    cell: ({ key, name }) => {
      const entry = entries?.find((one) => one['key'] === key);
      return (
        <EntryActions
          name={name}
          onEdit={() => setEdited({ entry })}
          onRemove={() => removal.ask({ key, name, text: removeTextOf(entry ?? {}) })}
        />
      );
    },
  };
  const openNew = async () => setEdited({ entry: undefined, fresh: await fresh?.() });
  const addButton = (
    <Button look="primary" icon="plus" onPress={() => void openNew()}>
      {add}
    </Button>
  );
  return (
    <>
      {rows.length > 0 && <div className={settingsStyles.bar}>{addButton}</div>}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {entries === undefined && error === null && <SkeletonRows />}
      {entries && (
        <Table
          label={title}
          columns={[...columns, actions]}
          rows={rows}
          empty={
            <EmptyState icon="settings" title={props.empty.title} action={addButton}>
              {props.empty.text}
            </EmptyState>
          }
        />
      )}
      {entries && edited && (
        <EntryForm
          {...props}
          fresh={edited.fresh}
          title={edited.entry === undefined ? add : String(edited.entry['name'])}
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

/** The opened entry; undefined for a new one. */
interface Edited {
  readonly entry: Entry | undefined;
  /** What a new one begins with. */
  readonly fresh?: Entry | undefined;
}

interface EntryFormProps
  extends Pick<EntriesTabProps, 'title' | 'section' | 'fields' | 'complete'>, Edited {
  readonly entries: readonly Entry[];
  readonly readAgain: () => Promise<readonly Entry[]>;
  readonly onClose: () => void;
}

function EntryForm(props: EntryFormProps) {
  const { title, section, fields, entries, entry, readAgain, onClose } = props;
  const { common } = useMessages();
  const form = useEntryForm({
    section,
    shape: 'list',
    fields,
    entry,
    fresh: props.fresh,
    complete: (saved) => {
      const key = keyFrom(String(saved['name']), new Set(entries.map((one) => one['key'])));
      return { key, ...(props.complete?.(saved, entries) ?? saved) };
    },
    readAgain: rereadOf(entry, readAgain),
  });
  const onSaved = ({ name }: Entry) => showToast({ text: common.saved, detail: String(name) });
  return <EntryDialog title={title} form={form} onClose={onClose} onSaved={onSaved} />;
}
