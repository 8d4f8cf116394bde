import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from './settings.module.css';

interface CopyKeyDialogProps {
  readonly value: string;
  readonly onClose: () => void;
}

/** Shows the value of a key, which cannot be shown again. */
export function CopyKeyDialog({ value, onClose }: CopyKeyDialogProps) {
  const { settings } = useMessages();
  return (
    <Dialog
      title={settings.copyKey}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {settings.done}
        </Button>
      }
    >
      <p className={styles.text}>{settings.copyKeyText}</p>
      <CopyField label={settings.key} value={value} />
    </Dialog>
  );
}
