import { ProgressBar } from 'react-aria-components/ProgressBar';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { Badge } from '../../ui/badge.tsx';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { Table } from '../../ui/table.tsx';
import { useFieldLabels, withLabels } from './field-labels.ts';
import { useImport, useImportTargets, type ContactImport } from './import-queries.ts';
import styles from './import.module.css';

const ERRORS_SHOWN = 100;

/** The progress of an import, and then its result with the errors by line. */
export function ImportResult({ id }: { readonly id: string }) {
  const { imports } = useMessages();
  const { data, error, refetch } = useImport(id);
  if (data === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section aria-label={imports.result} aria-live="polite" className={styles.result}>
      {data.status === 'running' && <Progress found={data} />}
      {data.status === 'failed' && (
        <p>
          <Badge tone="bad">{imports.failedAll}</Badge> {data.error}
        </p>
      )}
      {data.status === 'done' && <Counts found={data} />}
    </section>
  );
}

function Progress({ found: { processed, total } }: { readonly found: ContactImport }) {
  const { imports } = useMessages();
  return (
    <ProgressBar
      aria-label={imports.progress}
      value={processed}
      maxValue={Math.max(total, 1)}
      isIndeterminate={total === 0}
      className={styles.progress ?? ''}
    >
      {({ percentage = 0 }) => (
        <>
          <span>{total === 0 ? imports.checking : imports.rows(processed, total)}</span>
          <progress value={percentage} max={100} aria-hidden="true" className={styles.track} />
        </>
      )}
    </ProgressBar>
  );
}

function Counts({ found }: { readonly found: ContactImport }) {
  const { imports } = useMessages();
  const format = useFormat();
  const fields = useFieldLabels(useImportTargets().data?.customFields ?? []);
  const { created = 0, updated = 0, skipped = 0, failed = 0, errors = [], dryRun } = found;
  const tones = { created: 'good', updated: 'accent', skipped: 'neutral', failed: 'bad' } as const;
  const counts = { created, updated, skipped, failed };
  const labels = dryRun
    ? { ...imports, created: imports.wouldBeCreated, updated: imports.wouldBeUpdated }
    : imports;
  const rows = errors.slice(0, ERRORS_SHOWN).map((row) => ({ ...row, id: String(row.line) }));
  return (
    <>
      <p>{dryRun ? imports.wouldBe : imports.done}</p>
      <p className={styles.counts}>
        {(['created', 'updated', 'skipped', 'failed'] as const).map((name) => (
          <Badge key={name} tone={counts[name] === 0 ? 'neutral' : tones[name]}>
            {labels[name]}: {format.number(counts[name])}
          </Badge>
        ))}
      </p>
      {rows.length > 0 && (
        <Table
          label={imports.errors}
          rows={rows}
          empty={null}
          columns={[
            { id: 'line', title: imports.line, width: '5rem', cell: ({ line }) => line },
            {
              id: 'message',
              title: imports.message,
              cell: ({ message }) => (
                <span className={styles.error}>{withLabels(message, fields)}</span>
              ),
            },
          ]}
        />
      )}
      {failed > rows.length && <p>{imports.more(failed - rows.length)}</p>}
    </>
  );
}
