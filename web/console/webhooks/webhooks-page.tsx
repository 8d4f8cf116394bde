import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Webhook } from '../../../sdk/src/generated/webhooks.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, TIME_WIDTH } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Deliveries } from './deliveries.tsx';
import { EventFeed } from './event-feed.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { SecretDialog, SubscriptionDialog } from './subscription-dialog.tsx';
import { SubscriptionMenu } from './subscription-menu.tsx';
import { useSubscriptions } from './webhook-queries.ts';

/** Subscriptions with their health, their deliveries, and the feed of events. */
export function WebhooksPage() {
  const { hooks, webhooks } = useMessages();
  const [params, setParams] = useSearchParams();
  const { data, error, refetch } = useSubscriptions();
  const [open, setOpen] = useState<'create' | 'replay'>();
  const [secret, setSecret] = useState<string>();
  const all = data?.data ?? [];
  const chosen = all.find(({ id }) => id === params.get('subscription'));
  const close = () => setOpen(undefined);
  const replayed = chosen ?? all[0];
  const items = [
    {
      id: 'deliveries',
      label: webhooks.deliveries,
      content: <Deliveries subscriptions={all} chosen={chosen} />,
    },
    {
      id: 'subscriptions',
      label: webhooks.subscriptions,
      content: <Subscriptions subscriptions={all} />,
    },
    { id: 'events', label: hooks.feed, content: <EventFeed /> },
  ];
  const selected = items.find(({ id }) => id === params.get('tab'))?.id ?? 'deliveries';
  const actions = (
    <>
      {replayed && (
        <Button icon="retry" onPress={() => setOpen('replay')}>
          {webhooks.replay}
        </Button>
      )}
      <Button look="primary" icon="plus" onPress={() => setOpen('create')}>
        {hooks.create}
      </Button>
    </>
  );
  return (
    <Page title={webhooks.title} actions={actions}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows />}
      {data && (
        <Tabs
          label={webhooks.title}
          items={items}
          selected={selected}
          onSelect={(tab) => setParams({ tab }, { replace: true })}
        />
      )}
      {replayed && open === 'replay' && (
        <ReplayDialog subscriptions={all} subscription={replayed} onClose={close} />
      )}
      {open === 'create' && (
        <SubscriptionDialog subscription={undefined} onClose={close} onSecret={setSecret} />
      )}
      {secret !== undefined && (
        <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  );
}

function Subscriptions({ subscriptions }: { readonly subscriptions: readonly Webhook[] }) {
  const { hooks, settings, webhooks } = useMessages();
  const format = useFormat();
  const empty = (
    <EmptyState icon="webhooks" title={webhooks.empty}>
      {hooks.emptyText}
    </EmptyState>
  );
  return (
    <Table
      label={webhooks.subscriptions}
      rows={subscriptions}
      empty={empty}
      columns={[
        { id: 'url', title: webhooks.url, cell: ({ url }) => url },
        {
          id: 'status',
          title: webhooks.status,
          width: '12rem',
          cell: (subscription) => <Health subscription={subscription} />,
        },
        {
          id: 'events',
          title: hooks.events,
          isSecondary: true,
          cell: ({ events }) => (events.includes('*') ? hooks.allEvents : events.join(', ')),
        },
        {
          id: 'success',
          title: webhooks.lastSuccess,
          isSecondary: true,
          width: TIME_WIDTH,
          cell: ({ lastSuccessAt }) =>
            lastSuccessAt === null ? settings.never : format.dayAndTime(lastSuccessAt),
        },
        {
          id: 'actions',
          title: settings.actionsTitle,
          width: '5rem',
          cell: (subscription) => <SubscriptionMenu subscription={subscription} />,
        },
      ]}
    />
  );
}

/** Whether a subscription works, and why not. */
function Health({ subscription }: { readonly subscription: Webhook }) {
  const { webhooks } = useMessages();
  const format = useFormat();
  const { status, disabledReason, consecutiveFailures } = subscription;
  return (
    <>
      <Badge tone={status === 'active' ? 'good' : 'bad'}>{webhooks[status]}</Badge>{' '}
      {consecutiveFailures > 0 && (
        <Badge tone="warn">
          {webhooks.failures}: {format.number(consecutiveFailures)}
        </Badge>
      )}{' '}
      {disabledReason !== null && <span>{disabledReason}</span>}
    </>
  );
}
