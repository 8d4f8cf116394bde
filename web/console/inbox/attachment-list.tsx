import { useMessages } from '../i18n/messages.tsx';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icons.tsx';
import type { Attachments } from './attachments.ts';
import styles from './files.module.css';

/** The files that wait for their message, each with a button that removes it. */
export function AttachmentList({ attachments }: { readonly attachments: Attachments }) {
  const { thread } = useMessages();
  const { pending, remove } = attachments;
  if (pending.length === 0) {
    return null;
  }
  return (
    <ul className={styles.list} aria-label={thread.files}>
      {pending.map(({ key, name, record, error }) => (
        <li key={key} className={cx(styles.chip, error !== undefined && styles.refused)}>
          <Icon name="file" size={14} />
          <span className={styles.name} dir="auto">
            {record?.name ?? name}
          </span>
          {error !== undefined && <span role="alert">{thread.fileErrors[error]}</span>}
          {!record && error === undefined && (
            <progress className={styles.progress} aria-label={thread.uploading(name)} />
          )}
          <IconButton
            icon="close"
            label={thread.removeFile(name)}
            isSmall
            onPress={() => remove(key)}
          />
        </li>
      ))}
    </ul>
  );
}
