import { useState } from 'react';
import { useIsAdmin } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, TIME_WIDTH } from '../ui/table.tsx';
import { WhyReasons } from '../why/why-reasons.tsx';
import { useWorkflows } from '../workflows/workflow-queries.ts';
import { useEventFeed } from './webhook-queries.ts';
import styles from './webhooks.module.css';

type FeedEvent = NonNullable<
  ReturnType<typeof useEventFeed>['data']
>['pages'][number]['data'][number];

/** The events of the last 30 days in their order, as programs read them. */
export function EventFeed() {
  const { hooks, webhooks } = useMessages();
  const format = useFormat();
  const query = useEventFeed();
  const [shown, setShown] = useState<FeedEvent>();
  const isAdmin = useIsAdmin();
  const rows = query.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      {query.isLoadingError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <SkeletonRows />}
      {rows && (
        <Table
          label={hooks.feed}
          rows={rows}
          empty={<EmptyState icon="webhooks" title={hooks.noEvents} />}
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
            {
              id: 'when',
              title: webhooks.when,
              width: TIME_WIDTH,
              cell: ({ timestamp }) => (
                <time dateTime={timestamp}>{format.dayAndTime(timestamp)}</time>
              ),
            },
          ]}
        />
      )}
      <LoadMore query={query} />
      {shown && (
        <Dialog title={shown.event} isOpen isWide onClose={() => setShown(undefined)}>
          <pre className={styles.body} tabIndex={0} role="region" aria-label={hooks.body}>
            {JSON.stringify(shown.data, null, 2)}
          </pre>
          {isAdmin && <WorkflowsOfEvent eventId={shown.id} />}
        </Dialog>
      )}
    </>
  );
}

/** Says of a chosen workflow whether the event started it, and why not. */
function WorkflowsOfEvent({ eventId }: { readonly eventId: string }) {
  const { workflows } = useMessages();
  const { data = [] } = useWorkflows();
  const [slug, setSlug] = useState<string | null>(null);
  if (data.length === 0) {
    return null;
  }
  return (
    <>
      <Select
        label={workflows.startedBy}
        placeholder={workflows.choose}
        value={slug}
        options={data.map((one) => ({ id: one.slug, label: one.name }))}
        onChange={setSlug}
      />
      {slug !== null && <WhyReasons query={{ kind: 'trigger', workflow: slug, eventId }} />}
    </>
  );
}
