import { useMessages } from '../../i18n/messages.tsx';
import { Badge } from '../../ui/badge.tsx';
import { lossesIn } from '../changed-values.ts';
import { ValueChanges } from '../value-changes.tsx';
import type { Outcome } from './manifest-queries.ts';
import styles from './manifest.module.css';

/** The entries that a manifest creates, changes and removes, with old and new values. */
export function ChangeList({ outcome }: { readonly outcome: Outcome }) {
  const { manifest } = useMessages();
  const { created, updated, removed, skipped, warnings } = outcome;
  const isSame = created.length + updated.length + removed.length + skipped.length === 0;
  return (
    <section aria-label={manifest.changes} className={styles.panel}>
      {isSame && <p>{manifest.noChanges}</p>}
      <ul className={styles.list}>
        {/* What is lost comes first. */}
        {removed.map((entry) => (
          <li key={nameOf(entry)}>
            <Badge tone="bad">{manifest.removed}</Badge> {nameOf(entry)}
          </li>
        ))}
        {lossesOf({ ...outcome, removed: [] }).map((loss) => (
          <li key={loss}>
            <Badge tone="bad">{manifest.removed}</Badge> {loss}
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning}>
            <Badge tone="warn">{manifest.warning}</Badge> {warning}
          </li>
        ))}
        {created.map((entry) => (
          <li key={nameOf(entry)}>
            <Badge tone="good">{manifest.created}</Badge> {nameOf(entry)}
          </li>
        ))}
        {updated.map((entry) => (
          <li key={nameOf(entry)} className={styles.entry}>
            <div>
              <Badge tone="accent">{manifest.updated}</Badge> {nameOf(entry)}
            </div>
            <ValueChanges changes={entry.changes} />
          </li>
        ))}
        {skipped.map((entry) => (
          <li key={nameOf(entry)}>
            <Badge tone="warn">{manifest.skipped}</Badge> {nameOf(entry)}: {entry.reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns what a manifest removes: entries, and parts of entries. */
export const lossesOf = ({ removed, updated }: Pick<Outcome, 'removed' | 'updated'>) => [
  ...removed.map(nameOf),
  ...updated.flatMap((entry) => lossesIn(entry.changes).map((path) => `${nameOf(entry)}/${path}`)),
];

const nameOf = ({ section, key }: { readonly section: string; readonly key: string }): string =>
  section === key ? section : `${section} ${key}`;
