import { useState } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import settingsStyles from '../settings.module.css';
import { EntryFields } from './entry-fields.tsx';
import { entryOf, formValuesOf, type Entry, type EntryField } from './entry.ts';
import { useSaveSection, useSection } from './section-queries.ts';

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
  const { entries, error, refetch } = useSection(section);
  const [edited, setEdited] = useState<number>();
  const rows = (entries ?? []).map((entry) => ({ ...entry, id: entry['key'] }) as Row);
  const actions: TableColumn<Row> = {
    id: 'actions',
    title: settings.actionsTitle,
    width: '7rem',
    cell: ({ key, name }) => (
      <Button
        isSmall
        aria-label={forms.edit(name)}
        onPress={() => setEdited(rows.findIndex((row) => row.key === key))}
      >
        {forms.editShort}
      </Button>
    ),
  };
  return (
    <>
      {add !== undefined && (
        <div className={settingsStyles.bar}>
          <Button look="primary" icon="plus" onPress={() => setEdited(rows.length)}>
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
          empty={
            <EmptyState icon="settings" title={forms.empty}>
              {add === undefined && forms.emptyText(section)}
            </EmptyState>
          }
        />
      )}
      {entries && edited !== undefined && (
        <EntryDialog
          title={entries[edited] === undefined ? (add ?? title) : String(entries[edited]['name'])}
          section={section}
          fields={fields}
          entries={entries}
          index={edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface EntryDialogProps extends Pick<EntriesTabProps, 'title' | 'section' | 'fields'> {
  readonly entries: readonly Entry[];
  /** One past the end for a new entry. */
  readonly index: number;
  readonly onClose: () => void;
}

function EntryDialog({ title, section, fields, entries, index, onClose }: EntryDialogProps) {
  const { common } = useMessages();
  const entry = entries[index] ?? {};
  const { save, isPending, errorOf } = useSaveSection(section);
  const { attempt, dialog } = useAttempts();
  const [values, setValues] = useState(() => formValuesOf(fields, entry));
  const submit = async () => {
    const changed = entryOf(fields, entry, values);
    const key = changed['key'] ?? keyOf(String(changed['name']), entries);
    await save(entries.toSpliced(index, 1, { key, ...changed }));
    showToast({ text: common.saved, detail: String(changed['name']) });
    onClose();
  };
  return (
    <>
      <FormDialog
        title={title}
        submit={common.save}
        isOpen
        isWide
        isPending={isPending}
        onClose={onClose}
        onSubmit={() => attempt(submit)}
      >
        <EntryFields
          fields={fields}
          values={values}
          onChange={setValues}
          errorOf={errorOf(index)}
        />
      </FormDialog>
      {dialog}
    </>
  );
}

/** Returns a key of the manifest that is made of a name and not taken yet. */
function keyOf(name: string, entries: readonly Entry[]): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const key = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'entry';
  const taken = new Set(entries.map((entry) => entry['key']));
  const numbered = Array.from({ length: taken.size + 1 }, (_, index) => `${key}-${index + 2}`);
  return [key, ...numbered].find((one) => !taken.has(one)) ?? key;
}
