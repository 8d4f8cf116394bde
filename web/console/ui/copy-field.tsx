import { useMessages } from '../i18n/messages.tsx';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { showToast } from './toast.tsx';
import styles from './copy-field.module.css';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
}

/** A value to take along: a read-only field with a button that copies it. */
export function CopyField({ label, value }: CopyFieldProps) {
  const { settings } = useMessages();
  const copy = async () => {
    // Only secure pages may write to the clipboard; elsewhere the user selects the text.
    if ('clipboard' in navigator) {
      await navigator.clipboard.writeText(value);
      showToast({ text: settings.copied });
    }
  };
  return (
    <div className={styles.row}>
      <TextField label={label} isReadOnly value={value} />
      <Button onPress={() => void copy().catch(() => undefined)}>{settings.copy}</Button>
    </div>
  );
}
