import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { rowsOf } from '../api/rows-of.ts';
import settingsStyles from '../settings/settings.module.css';
import { useFormat } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, TIME_WIDTH } from '../ui/table.tsx';
import { EventDialog } from './event-dialog.tsx';
import { eventNamed, EventSelect, TEST_EVENT } from './event-select.tsx';
import { useEvents, type ListedEvent } from './event-queries.ts';
import { useHookMessages } from './hook-messages.ts';
import styles from './webhooks.module.css';

/** The events of the last 30 days, newest first. */
export function EventFeed() {
  const { hooks, webhooks } = useHookMessages();
  const format = useFormat();
  const [params, setParams] = useSearchParams();
  const named = eventNamed(params.get('event'));
  const event = named === TEST_EVENT ? undefined : named;
  const query = useEvents(event);
  const [shown, setShown] = useState<ListedEvent>();
  const rows = rowsOf(query);
  const showOnly = (to: string | undefined) =>
    setParams({ tab: 'events', ...(to && { event: to }) }, { replace: true });
  return (
    <>
      <div className={settingsStyles.bar}>
        <EventSelect label={hooks.event} isLabelHidden value={event} onChange={showOnly} />
      </div>
      {rows === undefined && <NotLoaded error={query.error} onRetry={() => void query.refetch()} />}
      {rows && (
        <Table
          label={hooks.feed}
          rows={rows}
          empty={<NoEvents isFiltered={event !== undefined} />}
          columns={[
            {
              id: 'event',
              title: webhooks.event,
              cell: (row) => (
                <Button look="ghost" isSmall onPress={() => setShown(row)}>
                  {row.event}
                </Button>
              ),
            },
            { id: 'record', title: hooks.record, cell: (row) => <RecordOf event={row} /> },
            {
              id: 'when',
              title: webhooks.when,
              width: TIME_WIDTH,
              isSecondary: true,
              cell: ({ timestamp }) => <time dateTime={timestamp}>{format.exact(timestamp)}</time>,
            },
          ]}
        />
      )}
      <LoadMore query={query} />
      {shown && (
        <EventDialog
          event={shown}
          onClose={() => setShown(undefined)}
          onShowDeliveries={() => setParams({ eventId: shown.id }, { replace: true })}
        />
      )}
    </>
  );
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }) {
  const { hooks } = useHookMessages();
  return isFiltered ? (
    <EmptyState icon="webhooks" title={hooks.noEventsMatch}>
      {hooks.noEventsMatchText}
    </EmptyState>
  ) : (
    <EmptyState icon="webhooks" title={hooks.noEvents} />
  );
}

/** What an event is about: names if it has any, otherwise the id of the record. */
function RecordOf({ event }: { readonly event: ListedEvent }) {
  const { title, contactName, recordId } = event;
  const names = [title, contactName].filter(Boolean).join(' · ');
  return names === '' ? (
    <span className={styles.id}>{recordId}</span>
  ) : (
    <span title={recordId ?? ''}>{names}</span>
  );
}
