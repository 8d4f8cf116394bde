import { useMessages } from '../../i18n/messages.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './forms.module.css';

interface EntryActionsProps {
  readonly name: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** The buttons that edit and remove an entry of the manifest. */
export function EntryActions({ name, onEdit, onRemove }: EntryActionsProps) {
  const { forms } = useMessages();
  return (
    <span className={styles.rowActions}>
      <Button isSmall aria-label={forms.edit(name)} onPress={onEdit}>
        {forms.editShort}
      </Button>
      <IconButton icon="trash" label={forms.removeTitle(name)} isSmall onPress={onRemove} />
    </span>
  );
}
