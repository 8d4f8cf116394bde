import { useSearchParams } from 'wouter';
import { rowsOf } from '../api/rows-of.ts';
import { Button } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Select } from '../ui/select.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import settingsStyles from '../settings/settings.module.css';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { eventNamed, EventSelect } from './event-select.tsx';
import { FailingReceivers } from './failing-receivers.tsx';
import { useHookMessages } from './hook-messages.ts';
import { useDeliveries, type DeliveryStatus, type Subscription } from './webhook-queries.ts';

const ALL = '';
const STATUSES: readonly DeliveryStatus[] = ['pending', 'succeeded', 'failed'];
/** The parameters of the address that filter. */
const FILTERS = ['subscription', 'status', 'event', 'eventId'] as const;

type Params = Readonly<Record<string, string>>;

interface DeliveriesProps {
  readonly subscriptions: readonly Subscription[];
  /** Undefined for all subscriptions. */
  readonly chosen: Subscription | undefined;
}

/** The attempts of one or all subscriptions, filtered, below a warning of receivers that fail. */
export function Deliveries({ subscriptions, chosen }: DeliveriesProps) {
  const [params, setParams] = useSearchParams();
  const set = (changes: Params) => {
    const kept = Object.fromEntries([...params].filter(([name]) => name !== 'tab'));
    const next = Object.entries({ ...kept, ...changes }).filter(([, value]) => value !== ALL);
    setParams(Object.fromEntries(next), { replace: true });
  };
  const query = useDeliveries({
    subscriptionId: chosen?.id,
    status: statusIn(params),
    event: eventNamed(params.get('event')),
    eventId: params.get('eventId') ?? undefined,
  });
  const rows = rowsOf(query);
  const opened = params.get('delivery');
  return (
    <>
      <FailingReceivers
        subscriptions={chosen ? [chosen] : subscriptions}
        onShowFailed={(subscription) => set({ ...WITHOUT_FILTERS, subscription, status: 'failed' })}
        onShowSubscriptions={() => setParams({ tab: 'subscriptions' }, { replace: true })}
      />
      <Filters subscriptions={subscriptions} chosen={chosen} onChange={set} />
      {rows === undefined && <NotLoaded error={query.error} onRetry={() => void query.refetch()} />}
      {rows && (
        <DeliveryTable
          rows={rows}
          subscriptions={subscriptions}
          chosen={chosen}
          empty={
            <NoDeliveries
              hasSubscriptions={subscriptions.length > 0}
              isFiltered={FILTERS.some((name) => name !== 'subscription' && params.has(name))}
              onShowAll={() => set(WITHOUT_FILTERS)}
            />
          }
          onOpen={(delivery) => set({ delivery })}
        />
      )}
      <LoadMore query={query} />
      {opened !== null && (
        <DeliveryDialog
          key={opened}
          id={opened}
          subscriptions={subscriptions}
          onClose={() => set({ delivery: ALL })}
          onOpen={(delivery) => set({ delivery })}
        />
      )}
    </>
  );
}

const WITHOUT_FILTERS: Params = Object.fromEntries(FILTERS.map((name) => [name, ALL]));

const statusIn = (params: URLSearchParams): DeliveryStatus | undefined =>
  STATUSES.find((one) => one === params.get('status'));

interface FiltersProps extends DeliveriesProps {
  readonly onChange: (changes: Params) => void;
}

function Filters({ subscriptions, chosen, onChange }: FiltersProps) {
  const { hooks, webhooks } = useHookMessages();
  const [params] = useSearchParams();
  return (
    <div className={settingsStyles.bar}>
      <Select
        label={webhooks.subscriptions}
        isLabelHidden
        value={chosen?.id ?? ALL}
        options={[
          { id: ALL, label: hooks.allSubscriptions },
          ...subscriptions.map(({ id, description, url }) => ({ id, label: description ?? url })),
        ]}
        onChange={(subscription) => onChange({ subscription })}
      />
      <Select
        label={webhooks.status}
        isLabelHidden
        value={statusIn(params) ?? ALL}
        options={[
          { id: ALL, label: hooks.anyStatus },
          ...STATUSES.map((id) => ({ id, label: webhooks[id] })),
        ]}
        onChange={(status) => onChange({ status })}
      />
      <EventSelect
        label={hooks.event}
        isLabelHidden
        hasTest
        value={eventNamed(params.get('event'))}
        onChange={(event) => onChange({ event: event ?? ALL })}
      />
      {params.has('eventId') && (
        <Button icon="close" onPress={() => onChange({ eventId: ALL })}>
          {hooks.ofOneEvent}
        </Button>
      )}
    </div>
  );
}

interface NoDeliveriesProps {
  readonly hasSubscriptions: boolean;
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}

/** Says that no delivery fits the filters, or what to do for a first one. */
function NoDeliveries({ hasSubscriptions, isFiltered, onShowAll }: NoDeliveriesProps) {
  const { hooks, webhooks } = useHookMessages();
  return isFiltered ? (
    <EmptyState
      icon="webhooks"
      title={hooks.noMatch}
      action={<Button onPress={onShowAll}>{hooks.showAll}</Button>}
    >
      {hooks.noMatchText}
    </EmptyState>
  ) : (
    <EmptyState icon="webhooks" title={webhooks.noDeliveries}>
      {hasSubscriptions ? hooks.tryOut : hooks.emptyText}
    </EmptyState>
  );
}
