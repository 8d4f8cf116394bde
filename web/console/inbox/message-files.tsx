import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icons.tsx';
import { contentUrl, type FileRecord } from './attachments.ts';
import styles from './files.module.css';

/** The files of a message: images as previews, others as links, and those that are missing. */
export function MessageFiles({ files }: { readonly files: readonly FileRecord[] }) {
  const { thread } = useMessages();
  return files.length === 0 ? null : (
    <ul className={styles.files} aria-label={thread.files}>
      {files.map((file) => (
        <li key={file.id}>
          <MessageFile file={file} />
        </li>
      ))}
    </ul>
  );
}

function MessageFile({ file: { name, type, size, url, refused } }: { readonly file: FileRecord }) {
  const { thread } = useMessages();
  const format = useFormat();
  const { subAccountId } = usePlace().membership;
  if (url === null) {
    const reason = refused === null ? thread.fetching : thread.fileMissing(refused);
    return (
      <span className={cx(styles.document, styles.missing)}>
        <Icon name="file" size={16} />
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <span className={styles.size}>{reason}</span>
      </span>
    );
  }
  const href = contentUrl(subAccountId, url);
  const link = { href, target: '_blank', rel: 'noopener noreferrer' };
  return type.startsWith('image/') ? (
    <a {...link} className={styles.image}>
      <img src={href} alt={name} loading="lazy" />
    </a>
  ) : (
    <a {...link} className={styles.document}>
      <Icon name="file" size={16} />
      <span className={styles.name} dir="auto">
        {name}
      </span>
      {size !== null && <span className={styles.size}>{format.bytes(size)}</span>}
    </a>
  );
}
