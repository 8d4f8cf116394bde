import { useDeferredValue, useState } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { SearchField } from '../ui/field.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, TIME_WIDTH, type TableColumn } from '../ui/table.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { ValueChanges } from './value-changes.tsx';
import { useAudit } from './settings-queries.ts';
import styles from './settings.module.css';

type Row = NonNullable<ReturnType<typeof useAudit>['data']>['pages'][number]['data'][number];

/** The changes of records, each with the person, key or program that made it. */
export function AuditTab() {
  const { settings } = useMessages();
  const [actor, setActor] = useState('');
  const [recordId, setRecordId] = useState('');
  const query = useAudit({
    actor: useDeferredValue(actor.trim()),
    recordId: useDeferredValue(recordId.trim()),
  });
  const rows = query.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={settings.filterActor} value={actor} onChange={setActor} />
        <SearchField label={settings.filterRecord} value={recordId} onChange={setRecordId} />
      </div>
      {query.isLoadingError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <SkeletonRows />}
      {rows && <AuditTable rows={rows} />}
      <LoadMore query={query} />
    </>
  );
}

function AuditTable({ rows }: { readonly rows: readonly Row[] }) {
  const { settings } = useMessages();
  const format = useFormat();
  const columns: readonly TableColumn<Row>[] = [
    {
      id: 'what',
      title: settings.what,
      cell: ({ operation, changes }) =>
        changes === null ? (
          operation
        ) : (
          <Disclosure title={operation}>
            <ValueChanges changes={changes} />
          </Disclosure>
        ),
    },
    {
      id: 'who',
      title: settings.who,
      cell: ({ actor, keyPrefix }) => <span title={actor}>{keyPrefix ?? actor}</span>,
    },
    {
      id: 'record',
      title: settings.record,
      cell: ({ recordId }) => <span title={recordId}>{recordId}</span>,
      isSecondary: true,
    },
    {
      id: 'when',
      title: settings.when,
      cell: ({ at }) => <time dateTime={at}>{format.dayAndTime(at)}</time>,
      width: TIME_WIDTH,
      isSecondary: true,
    },
  ];
  const empty = (
    <EmptyState icon="search" title={settings.noAudit}>
      {settings.noAuditText}
    </EmptyState>
  );
  return <Table label={settings.audit} columns={columns} rows={rows} empty={empty} />;
}
