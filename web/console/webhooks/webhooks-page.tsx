import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { Page } from '../shell/page.tsx';
import { Button } from '../ui/button.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Deliveries } from './deliveries.tsx';
import { EventFeed } from './event-feed.tsx';
import { useHookMessages } from './hook-messages.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { SecretDialog, SubscriptionDialog, type NewSecret } from './subscription-dialog.tsx';
import { Subscriptions } from './subscriptions.tsx';
import { useSubscriptions } from './webhook-queries.ts';

/** Subscriptions with their health, their deliveries, and the feed of events. */
export function WebhooksPage() {
  const { hooks, webhooks } = useHookMessages();
  const [params, setParams] = useSearchParams();
  const query = useSubscriptions();
  const { data } = query;
  const [open, setOpen] = useState<'create' | 'replay'>();
  const [secret, setSecret] = useState<NewSecret>();
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
      <LoadState query={query} />
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
      {secret !== undefined && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}
