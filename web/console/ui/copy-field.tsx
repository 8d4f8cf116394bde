import { useMessages } from '../i18n/messages.tsx';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { useCopy } from './use-copy.ts';
import styles from './copy-field.module.css';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
}

/** A value to take along: a read-only field with a button that copies it. */
export function CopyField({ label, value }: CopyFieldProps) {
  const { settings } = useMessages();
  const copy = useCopy();
  return (
    <div className={styles.row}>
      <TextField label={label} isReadOnly value={value} />
      <Button onPress={() => copy(value)}>{settings.copy}</Button>
    </div>
  );
}
