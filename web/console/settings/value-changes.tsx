import { useMessages } from '../i18n/messages.tsx';
import { changedValues } from './changed-values.ts';
import styles from './value-changes.module.css';

export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** The fields of a record or an entry that differ, each with its old and new value. */
export function ValueChanges({ changes }: { readonly changes: Changes }) {
  const messages = useMessages();
  return (
    <dl aria-label={messages.changes.title} className={styles.values}>
      {Object.entries(changedValues(changes)).map(([field, { from, to }]) => (
        <div key={field} className={styles.value}>
          <dt>{field}</dt>
          <dd>
            <del aria-label={messages.changes.from}>{shown(from)}</del>
            <ins aria-label={messages.changes.to}>{shown(to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 1);
