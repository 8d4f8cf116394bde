import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import type { Contact, ContactsUpdateBody } from '../../../sdk/src/generated/contacts.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { cx } from '../ui/cx.ts';
import { useUpdateContact } from './contact-queries.ts';
import { useShowError } from '../ui/use-show-error.ts';
import styles from './editable-cell.module.css';

/** The fields of text that are changed in the list. */
type TextFieldName = 'email' | 'phone' | 'company' | 'title' | 'source' | 'city' | 'country';

interface TextCellProps {
  readonly contact: Contact;
  readonly field: TextFieldName;
  /** The accessible name of the button and the field, such as "Edit Company of Ada Lovelace". */
  readonly label: string;
}

/** Returns the text that is being edited, undefined before and after it, and what saves it. */
function useDraft(contact: Contact, field: TextFieldName) {
  const update = useUpdateContact(contact.id);
  const showError = useShowError();
  const [draft, setDraft] = useState<string>();
  const stored = contact[field] ?? '';
  const save = () => {
    if (update.isPending) {
      return;
    }
    const value = draft?.trim() ?? '';
    if (value === stored) {
      setDraft(undefined);
      return;
    }
    update.mutate(
      { [field]: value === '' ? null : value },
      { onSuccess: () => setDraft(undefined), onError: showError },
    );
  };
  return { draft, setDraft, stored, save, isRefused: update.isError };
}

/** A text that becomes a field: Enter saves it, as does leaving it; Escape keeps what was there. */
export function TextCell({ contact, field, label }: TextCellProps) {
  const { draft, setDraft, stored, save, isRefused } = useDraft(contact, field);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  const isEditing = draft !== undefined;
  useEffect(() => {
    if (wasEditing.current && !isEditing) {
      button.current?.focus();
    }
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (!isEditing) {
    return (
      <span className={styles.cell}>
        <span className={styles.value}>{stored}</span>
        <AriaButton
          ref={button}
          className={cx(styles.edit)}
          aria-label={label}
          onPress={() => setDraft(stored)}
        >
          <Icon name="edit" size={14} />
        </AriaButton>
      </span>
    );
  }
  return (
    <Input
      aria-label={label}
      autoFocus
      className={cx(styles.input)}
      value={draft}
      aria-invalid={isRefused}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') {
          save();
        } else if (key === 'Escape') {
          setDraft(undefined);
        }
      }}
    />
  );
}

interface ChoiceCellProps<T extends string> {
  readonly contact: Contact;
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly id: T; readonly label: string }[];
  readonly changeOf: (id: T) => ContactsUpdateBody;
  readonly children: ReactNode;
}

/** A value that is replaced from a menu. */
export function ChoiceCell<T extends string>(props: ChoiceCellProps<T>) {
  const { contact, label, value, options, changeOf, children } = props;
  const { contactList } = useMessages();
  const update = useUpdateContact(contact.id);
  const showError = useShowError();
  const name = `${contact.firstName} ${contact.lastName}`.trim();
  const current = options.find(({ id }) => id === value)?.label ?? '';
  return (
    <Menu
      label={label}
      trigger={
        <AriaButton
          className={cx(styles.choice)}
          aria-label={`${contactList.edit(label, name)}: ${current}`}
        >
          {children}
          <Icon name="chevronDown" size={14} />
        </AriaButton>
      }
    >
      <MenuChoice
        title={label}
        value={value}
        options={options}
        onChoose={(id) => id !== value && update.mutate(changeOf(id), { onError: showError })}
      />
    </Menu>
  );
}
