import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { WhyButton } from '../why/why-button.tsx';
import { useHookMessages } from './hook-messages.ts';
import { nameOf } from './receiver-state.tsx';
import { RetryButton } from './retry-button.tsx';
import type { ListedDelivery, Subscription } from './webhook-queries.ts';
import styles from './webhooks.module.css';

interface DeliveryTableProps {
  readonly rows: readonly ListedDelivery[];
  readonly subscriptions: readonly Subscription[];
  /** The subscription of all rows; undefined if they are those of all subscriptions. */
  readonly chosen: Subscription | undefined;
  readonly empty: ReactNode;
  readonly onOpen: (id: string) => void;
}

type Column = TableColumn<ListedDelivery>;

/** The tone of each status. */
export const TONES = { pending: 'neutral', succeeded: 'good', failed: 'bad' } as const;

export function DeliveryTable({ rows, empty, ...props }: DeliveryTableProps) {
  const { webhooks } = useHookMessages();
  const columns = useColumns(props);
  return <Table label={webhooks.deliveries} columns={columns} rows={rows} empty={empty} />;
}

function useColumns({
  subscriptions,
  chosen,
  onOpen,
}: Omit<DeliveryTableProps, 'rows' | 'empty'>): readonly Column[] {
  const { hooks, settings, webhooks } = useHookMessages();
  const format = useFormat();
  const of = ({ subscriptionId }: ListedDelivery) =>
    chosen ?? subscriptions.find(({ id }) => id === subscriptionId);
  const columns: readonly Column[] = [
    {
      id: 'event',
      title: webhooks.event,
      cell: (row) => <EventOf delivery={row} onOpen={onOpen} />,
      width: '11rem',
    },
    {
      id: 'subscription',
      title: hooks.subscription,
      cell: (row) => <ReceiverOf subscription={of(row)} />,
      isSecondary: true,
      width: '8.5rem',
    },
    {
      id: 'status',
      title: webhooks.status,
      cell: ({ status }) => <Badge tone={TONES[status]}>{webhooks[status]}</Badge>,
      width: '7rem',
    },
    {
      id: 'answer',
      title: webhooks.answer,
      cell: (row) => <Response delivery={row} />,
      isSecondary: true,
    },
    {
      id: 'attempt',
      title: webhooks.attempt,
      cell: ({ attempt }) => format.number(attempt),
      isNumber: true,
      isSecondary: true,
      width: '5.5rem',
    },
    {
      id: 'when',
      title: webhooks.when,
      cell: (row) => <When delivery={row} subscription={of(row)} />,
      isSecondary: true,
      width: '10.5rem',
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      cell: (row) => <Actions delivery={row} subscription={of(row)} />,
      width: '13rem',
    },
  ];
  const isMixed = chosen === undefined && subscriptions.length > 1;
  return columns.filter(({ id }) => isMixed || id !== 'subscription');
}

const EventOf = ({
  delivery: { id, event },
  onOpen,
}: Pick<DeliveryTableProps, 'onOpen'> & { readonly delivery: ListedDelivery }) => (
  <Button look="ghost" isSmall onPress={() => onOpen(id)}>
    {event}
  </Button>
);

interface OfSubscription {
  /** Undefined for a subscription that was deleted. */
  readonly subscription: Subscription | undefined;
}

const ReceiverOf = ({ subscription }: OfSubscription) =>
  subscription && <span title={subscription.url}>{nameOf(subscription)}</span>;

/** The status and the start of the body of a response, or why there was none. */
const Response = ({
  delivery: { responseStatus, responseBody, error },
}: {
  readonly delivery: ListedDelivery;
}) => (
  <span className={styles.response} title={responseBody ?? error ?? ''}>
    {responseStatus ?? error} {responseBody && <span>{responseBody}</span>}
  </span>
);

interface DeliveryProps extends OfSubscription {
  readonly delivery: ListedDelivery;
}

function Actions({ delivery: { id, status, subscriptionId }, subscription }: DeliveryProps) {
  const of = subscriptionId ?? subscription?.id;
  return (
    <>
      {status !== 'succeeded' && <WhyButton query={{ kind: 'delivery', id }} />}
      {status !== 'pending' && of !== undefined && (
        <RetryButton id={id} subscriptionId={of} isSmall />
      )}
    </>
  );
}

/** When an attempt was made; of a pending one, when it is due or what it waits for. */
function When({ delivery, subscription }: DeliveryProps) {
  const { hooks } = useHookMessages();
  const format = useFormat();
  if (delivery.status === 'pending' && isOverdue(delivery)) {
    return (
      <span className={styles.when}>
        {subscription?.isThrottled ? hooks.waitsForReceiver : hooks.dueNow}
      </span>
    );
  }
  const at = delivery.sentAt ?? delivery.nextAttemptAt ?? delivery.createdAt;
  const time = <time dateTime={at}>{format.exact(at)}</time>;
  return delivery.status === 'pending' ? (
    <span className={styles.when} title={hooks.nextAttempt}>
      {hooks.due} {time}
    </span>
  ) : (
    time
  );
}

/** Returns whether the time of the next attempt is in the past: it says nothing about when it is made. */
export const isOverdue = ({ nextAttemptAt }: Pick<ListedDelivery, 'nextAttemptAt'>): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) <= Date.now();
