import { useSearchParams } from 'wouter';
import type { Webhook, WebhookDelivery } from '../../../sdk/src/generated/webhooks.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/field.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, TIME_WIDTH, type TableColumn } from '../ui/table.tsx';
import settingsStyles from '../settings/settings.module.css';
import { WhyButton } from '../why/why-button.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { RetryButton } from './retry-button.tsx';
import { useDeliveries, type DeliveryStatus } from './webhook-queries.ts';

const ALL = '';
/** The server refuses other names. */
const EVENT_NAME = /^[a-z_]+\.[a-z_.]+$/;
const STATUSES: readonly DeliveryStatus[] = ['pending', 'succeeded', 'failed'];

interface DeliveriesProps {
  readonly subscriptions: readonly Webhook[];
  /** Undefined for all subscriptions. */
  readonly chosen: Webhook | undefined;
}

/** The attempts of one or all subscriptions, filtered. */
export function Deliveries({ subscriptions, chosen }: DeliveriesProps) {
  const { hooks, webhooks } = useMessages();
  const [params, setParams] = useSearchParams();
  const status = STATUSES.find((one) => one === params.get('status'));
  const event = params.get('event') ?? '';
  const set = (changes: Readonly<Record<string, string>>) => {
    const kept = Object.fromEntries([...params].filter(([name]) => name !== 'tab'));
    const next = Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== ALL);
    setParams(Object.fromEntries(next), { replace: true });
  };
  const named = EVENT_NAME.test(event) ? event : undefined;
  const query = useDeliveries({ subscriptionId: chosen?.id, status, event: named });
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const opened = params.get('delivery');
  return (
    <>
      <div className={settingsStyles.bar}>
        <SubscriptionFilter
          subscriptions={subscriptions}
          chosen={chosen}
          onChange={(subscription) => set({ subscription })}
        />
        <Select
          label={webhooks.status}
          isLabelHidden
          value={status ?? ALL}
          options={[
            { id: ALL, label: hooks.anyStatus },
            ...STATUSES.map((id) => ({ id, label: webhooks[id] })),
          ]}
          onChange={(to) => set({ status: to })}
        />
        <SearchField
          label={hooks.filterEvent}
          value={event}
          onChange={(to) => set({ event: to.trim() })}
        />
      </div>
      {query.isLoadingError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <SkeletonRows />}
      {rows && (
        <DeliveryTable
          rows={rows}
          hasSubscriptions={subscriptions.length > 0}
          onOpen={(delivery) => set({ delivery })}
        />
      )}
      <LoadMore query={query} />
      {opened !== null && <DeliveryDialog id={opened} onClose={() => set({ delivery: ALL })} />}
    </>
  );
}

interface SubscriptionFilterProps extends DeliveriesProps {
  /** Called with an id; empty for all. */
  readonly onChange: (id: string) => void;
}

function SubscriptionFilter({ subscriptions, chosen, onChange }: SubscriptionFilterProps) {
  const { hooks, webhooks } = useMessages();
  return (
    <Select
      label={webhooks.subscriptions}
      isLabelHidden
      value={chosen?.id ?? ALL}
      options={[
        { id: ALL, label: hooks.allSubscriptions },
        ...subscriptions.map(({ id, url }) => ({ id, label: url })),
      ]}
      onChange={onChange}
    />
  );
}

interface DeliveryTableProps {
  readonly rows: readonly (WebhookDelivery & { readonly subscriptionId?: string })[];
  readonly hasSubscriptions: boolean;
  readonly onOpen: (id: string) => void;
}

const TONES = { pending: 'neutral', succeeded: 'good', failed: 'bad' } as const;

function DeliveryTable({ rows, hasSubscriptions, onOpen }: DeliveryTableProps) {
  const { settings, webhooks } = useMessages();
  const format = useFormat();
  const [params] = useSearchParams();
  const columns: readonly TableColumn<DeliveryTableProps['rows'][number]>[] = [
    {
      id: 'event',
      title: webhooks.event,
      cell: ({ id, event }) => (
        <Button look="ghost" isSmall onPress={() => onOpen(id)}>
          {event}
        </Button>
      ),
    },
    {
      id: 'status',
      title: webhooks.status,
      cell: ({ status }) => <Badge tone={TONES[status]}>{webhooks[status]}</Badge>,
      width: '8rem',
    },
    {
      id: 'answer',
      title: webhooks.answer,
      cell: ({ responseStatus, responseBody, error }) => (
        <span title={responseBody ?? error ?? ''}>{responseStatus ?? error}</span>
      ),
      isSecondary: true,
    },
    {
      id: 'attempt',
      title: webhooks.attempt,
      cell: ({ attempt }) => format.number(attempt),
      isNumber: true,
      isSecondary: true,
      width: '6rem',
    },
    {
      id: 'when',
      title: webhooks.when,
      cell: (row) => <When delivery={row} />,
      isSecondary: true,
      width: TIME_WIDTH,
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      cell: ({ id, status, subscriptionId = params.get('subscription') ?? '' }) =>
        status !== 'pending' && (
          <>
            {status === 'failed' && <WhyButton query={{ kind: 'delivery', id }} />}
            <RetryButton id={id} subscriptionId={subscriptionId} isSmall />
          </>
        ),
      width: '13rem',
    },
  ];
  const empty = <NoDeliveries hasSubscriptions={hasSubscriptions} />;
  return <Table label={webhooks.deliveries} columns={columns} rows={rows} empty={empty} />;
}

/** Says what to do for a first delivery. */
function NoDeliveries({ hasSubscriptions }: Pick<DeliveryTableProps, 'hasSubscriptions'>) {
  const { hooks, webhooks } = useMessages();
  return (
    <EmptyState icon="webhooks" title={webhooks.noDeliveries}>
      {hasSubscriptions ? hooks.tryOut : hooks.emptyText}
    </EmptyState>
  );
}

/** When an attempt was made; of a pending one, when it is due. */
function When({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { hooks } = useMessages();
  const format = useFormat();
  const at = delivery.sentAt ?? delivery.nextAttemptAt ?? delivery.createdAt;
  const time = <time dateTime={at}>{format.exact(at)}</time>;
  return delivery.status === 'pending' ? (
    <span title={hooks.nextAttempt}>
      {hooks.due} {time}
    </span>
  ) : (
    time
  );
}
