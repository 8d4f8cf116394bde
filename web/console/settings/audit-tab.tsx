import type { CalendarDate } from '@internationalized/date';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { rowsOf } from '../api/rows-of.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { IconButton } from '../ui/button.tsx';
import { DateField } from '../ui/date-field.tsx';
import { SearchField } from '../ui/field.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, TIME_WIDTH, type TableColumn } from '../ui/table.tsx';
import { Disclosure } from '../ui/disclosure.tsx';
import { actorText, operationText } from './operation-text.ts';
import { ownerMessages } from './owner-messages.ts';
import { useAudit, useKeys, useMembers } from './settings-queries.ts';
import { ValueChanges, type Changes } from './value-changes.tsx';
import styles from './settings.module.css';

type Row = NonNullable<ReturnType<typeof useAudit>['data']>['pages'][number]['data'][number];

/** The changes of records, each with the person, key or program that made it. */
export function AuditTab() {
  const { settings } = useMessages();
  const [actor, setActor] = useState('');
  const [recordId, setRecordId] = useState('');
  const [last, setLast] = useState<CalendarDate | null>(null);
  const { timezone } = usePlace().membership;
  const query = useAudit({
    actor: useDeferredValue(actor.trim()),
    recordId: useDeferredValue(recordId.trim()),
    until: last?.add({ days: 1 }).toDate(timezone).toISOString(),
  });
  const rows = rowsOf(query);
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={settings.filterActor} value={actor} onChange={setActor} />
        <SearchField label={settings.filterRecord} value={recordId} onChange={setRecordId} />
        <div className={styles.lastDay}>
          <DateField label={settings.lastDay} value={last} onChange={setLast} />
        </div>
      </div>
      {rows === undefined && <NotLoaded error={query.error} onRetry={() => void query.refetch()} />}
      {rows && <AuditTable rows={rows} onRecord={setRecordId} />}
      <LoadMore query={query} />
    </>
  );
}

interface AuditTableProps {
  readonly rows: readonly Row[];
  /** Shows the changes of one record only. */
  readonly onRecord: (recordId: string) => void;
}

function AuditTable({ rows, onRecord }: AuditTableProps) {
  const { settings } = useMessages();
  const { audit } = ownerMessages();
  const format = useFormat();
  const nameOf = useRecordNames();
  const columns: readonly TableColumn<Row>[] = [
    {
      id: 'what',
      title: settings.what,
      cell: (row) =>
        row.changes === null ? (
          <span title={row.operation}>{operationText(row, audit)}</span>
        ) : (
          <div className={styles.change}>
            <Disclosure title={titleOf(row, row.changes)}>
              <ValueChanges changes={row.changes} />
            </Disclosure>
          </div>
        ),
    },
    {
      id: 'who',
      title: settings.who,
      width: '12rem',
      cell: (row) => <span title={row.actor}>{actorText(row, audit)}</span>,
    },
    {
      id: 'record',
      title: settings.record,
      cell: (row) => <RecordCell row={row} nameOf={nameOf} onRecord={onRecord} />,
      width: '14rem',
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

interface RecordCellProps {
  readonly row: Row;
  readonly nameOf: (id: string) => string;
  readonly onRecord: (recordId: string) => void;
}

/** The name of the record, if it has one, and the button for all of its changes. */
function RecordCell({ row, nameOf, onRecord }: RecordCellProps) {
  const { recordId, contact, recordName } = row;
  const { settings } = useMessages();
  const name = contact?.name ?? recordName ?? nameOf(recordId);
  return (
    <span className={styles.record}>
      <span className={styles.recordName} title={recordId}>
        {contact?.isDeleted === false ? <Link href={`/contacts/${recordId}`}>{name}</Link> : name}
      </span>
      <IconButton
        icon="search"
        label={settings.changesOf(name)}
        isSmall
        onPress={() => onRecord(recordId)}
      />
    </span>
  );
}

/** A change of the manifest says how many entries it added, changed and removed. */
const APPLYING = /(?:^manifest\.|\b)apply$/;

function titleOf(row: Row, changes: Changes): string {
  const { audit } = ownerMessages();
  if (!APPLYING.test(row.operation)) {
    return operationText(row, audit);
  }
  const text = audit.title(audit.nouns.manifest, audit.verbs.apply);
  const isWhole = (path: string) => !path.includes('/');
  const paths = Object.keys(changes);
  const added = paths.filter((path) => isWhole(path) && changes[path]?.from === null);
  const removed = paths.filter((path) => isWhole(path) && changes[path]?.to === null);
  const entries = new Set(
    paths.filter((path) => !isWhole(path)).map((path) => path.split('/')[0] ?? path),
  );
  const isMixed = added.length + removed.length > 0;
  const counts = isMixed ? `${audit.entries(added.length, entries.size, removed.length)}: ` : '';
  const all = [...removed, ...added, ...entries];
  const names = all
    .slice(0, NAMED_MAX)
    .map((name) => (name === 'subAccount' ? audit.nouns['sub-account'] : name));
  return `${text} (${counts}${names.join(', ')}${all.length > NAMED_MAX ? ', …' : ''})`;
}

/** More names do not fit the row; they are in the details. */
const NAMED_MAX = 3;

/** Returns the function for the name of a record that this page has read anyway, else its id. */
function useRecordNames(): (id: string) => string {
  const { membership } = usePlace();
  const { data: members = [] } = useMembers();
  const { data: keys = [] } = useKeys();
  const names = new Map([
    [membership.subAccountId, membership.subAccountName],
    ...members.map(({ id, email }) => [id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
  return (id) => names.get(id) ?? id;
}
