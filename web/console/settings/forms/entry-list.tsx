import { useRef, useState } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FieldGroup, type FieldInputProps } from './field-input.tsx';
import { entryOf, formValuesOf, type Entry, type EntryList, type FormValues } from './entry.ts';
import { sectionMessages } from './section-messages.ts';
import styles from './forms.module.css';

/** A list inside an entry: its rows open in place, and can be added, moved and removed. */
export function EntryListField(props: FieldInputProps) {
  const { field, value, onChange } = props;
  const { list, label, path } = field;
  const entries = (Array.isArray(value) ? value : []) as readonly Entry[];
  const [opened, setOpened] = useState<number>();
  if (list === undefined) {
    throw new Error(`the field ${path} has no list`);
  }
  const change = (next: readonly Entry[], open?: number) => {
    onChange(next);
    setOpened(open);
  };
  return (
    <fieldset className={styles.list}>
      <legend className={styles.legend}>{label}</legend>
      {entries.length === 0 && <p className={styles.hint}>{list.empty}</p>}
      <ListRows {...props} list={list} entries={entries} opened={opened} onRows={change} />
      <div>
        <Button
          icon="plus"
          isSmall
          onPress={() => change([...entries, list.fresh(entries)], entries.length)}
        >
          {list.add}
        </Button>
      </div>
    </fieldset>
  );
}

interface ListRowsProps extends FieldInputProps {
  readonly list: EntryList;
  readonly entries: readonly Entry[];
  /** The row that is edited. */
  readonly opened: number | undefined;
  readonly onRows: (entries: readonly Entry[], opened?: number) => void;
}

function ListRows({ list, entries, opened, onRows, ...props }: ListRowsProps) {
  const { path } = props.field;
  const [removed, setRemoved] = useState<number>();
  const remove = (index: number) => onRows(entries.toSpliced(index, 1));
  const move = (index: number, by: number) =>
    onRows(
      entries.toSpliced(index, 1).toSpliced(index + by, 0, ...entries.slice(index, index + 1)),
    );
  return (
    <>
      <ul role="list" className={styles.rows}>
        {entries.map((entry, index) => (
          <ListRow
            // Names change while they are typed.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            key={index}
            list={list}
            entry={entry}
            around={props.values}
            isOpen={opened === index}
            isFirst={index === 0}
            isLast={index === entries.length - 1}
            errorOf={(at) => props.errorOf([path, index, at].join('/').replace(/\/$/, ''))}
            onOpen={(isOpen) => onRows(entries, isOpen ? index : undefined)}
            onChange={(next) => onRows(entries.with(index, next), index)}
            onMove={(by) => move(index, by)}
            // What was never saved has nothing to lose.
            onRemove={() =>
              list.removeText && isStored(entry) ? setRemoved(index) : remove(index)
            }
          />
        ))}
      </ul>
      {removed !== undefined && list.removeText && (
        <RemoveDialog
          list={list}
          text={list.removeText}
          entry={entries[removed] ?? {}}
          onClose={() => setRemoved(undefined)}
          onConfirm={() => remove(removed)}
        />
      )}
    </>
  );
}

/** Entries that were not saved yet have no key; those of forms have no name. */
const isStored = (entry: Entry): boolean =>
  entry['key'] !== undefined || (entry['label'] !== undefined && entry['name'] !== undefined);

function useNameOf(list: EntryList): (entry: Entry) => string {
  const { unnamed } = sectionMessages();
  return (entry) => list.nameOf(entry) || unnamed;
}

interface RemoveDialogProps {
  readonly list: EntryList;
  readonly text: string;
  readonly entry: Entry;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function RemoveDialog({ list, entry, ...props }: RemoveDialogProps) {
  const { forms, settings } = useMessages();
  const name = useNameOf(list)(entry);
  return (
    <ConfirmDialog
      title={forms.removeTitle(name)}
      confirm={settings.remove}
      isDangerous
      {...props}
    />
  );
}

interface ListRowProps {
  readonly list: EntryList;
  readonly entry: Entry;
  readonly around: FormValues;
  readonly isOpen: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Returns what the server says about a member; about all of the entry for an empty path. */
  readonly errorOf: (path: string) => string | undefined;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (entry: Entry) => void;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
}

function ListRow(props: ListRowProps) {
  const { list, entry, isOpen, isFirst, isLast, errorOf, onOpen, onMove, onRemove } = props;
  const { forms } = useMessages();
  const texts = sectionMessages();
  const name = useNameOf(list)(entry);
  const error = isOpen ? undefined : errorOf('');
  return (
    <li className={styles.listRow}>
      <div className={styles.rowHead}>
        <span className={styles.rowText}>
          <span className={styles.rowName}>{name}</span>{' '}
          <span className={styles.hint}>{list.summaryOf(entry)}</span>
        </span>
        {!list.isUnordered && <MoveButtons {...{ name, isFirst, isLast, onMove }} />}
        <IconButton
          icon={isOpen ? 'check' : 'edit'}
          label={isOpen ? texts.close(name) : forms.edit(name)}
          isSmall
          onPress={() => onOpen(!isOpen)}
        />
        <IconButton icon="trash" label={forms.removeTitle(name)} isSmall onPress={onRemove} />
      </div>
      {isOpen && <OpenRow {...props} />}
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </li>
  );
}

interface MoveButtonsProps extends Pick<ListRowProps, 'isFirst' | 'isLast' | 'onMove'> {
  readonly name: string;
}

function MoveButtons({ name, isFirst, isLast, onMove }: MoveButtonsProps) {
  const texts = sectionMessages();
  return (
    <>
      <IconButton
        icon="chevronUp"
        label={texts.up(name)}
        isSmall
        isDisabled={isFirst}
        onPress={() => onMove(-1)}
      />
      <IconButton
        icon="chevronDown"
        label={texts.down(name)}
        isSmall
        isDisabled={isLast}
        onPress={() => onMove(1)}
      />
    </>
  );
}

/** Keeps what is typed, such as `45,`; the entry has what it means. */
function OpenRow({ list, entry, around, errorOf, onChange }: ListRowProps) {
  const [values, setValues] = useState(() => formValuesOf(list.fields, entry));
  const written = useRef(entry);
  if (written.current !== entry) {
    // Another person's change replaced it.
    written.current = entry;
    setValues(formValuesOf(list.fields, entry));
  }
  const change = (next: FormValues) => {
    setValues(next);
    written.current = entryOf(list.fields, entry, next, around);
    onChange(written.current);
  };
  return (
    <div className={styles.rowFields}>
      <FieldGroup
        form={{ fields: list.fields, values, setValues: change, errorOf }}
        around={around}
      />
    </div>
  );
}
