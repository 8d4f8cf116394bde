import { useFormat } from '../i18n/format.ts';
import { useHookMessages } from './hook-messages.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { useCopy } from '../ui/use-copy.ts';
import { WhyButton } from '../why/why-button.tsx';
import { isOverdue, TONES } from './delivery-table.tsx';
import { nameOf } from './receiver-state.tsx';
import { RetryButton } from './retry-button.tsx';
import { useDelivery, type DeliveryDetail, type Subscription } from './webhook-queries.ts';
import styles from './webhooks.module.css';

interface DeliveryDialogProps {
  readonly id: string;
  readonly subscriptions: readonly Subscription[];
  readonly onClose: () => void;
  /** Shows another attempt instead. */
  readonly onOpen: (id: string) => void;
}

/** An attempt with its request beside the response. */
export function DeliveryDialog({ id, subscriptions, onClose, onOpen }: DeliveryDialogProps) {
  const { hooks, webhooks } = useHookMessages();
  const query = useDelivery(id);
  const { data } = query;
  const subscription = subscriptions.find((one) => one.id === data?.subscriptionId);
  const actions = (
    <>
      {data && data.status !== 'pending' && (
        <RetryButton id={id} subscriptionId={data.subscriptionId} onQueued={onOpen} />
      )}
      <Button look="primary" onPress={onClose}>
        {hooks.close}
      </Button>
    </>
  );
  return (
    <Dialog
      title={data?.event ?? webhooks.deliveries}
      isOpen
      isWide
      onClose={onClose}
      actions={actions}
    >
      <LoadState query={query} />
      {data && <Detail delivery={data} subscription={subscription} />}
    </Dialog>
  );
}

interface DetailProps {
  readonly delivery: DeliveryDetail;
  /** Undefined for a subscription that was deleted. */
  readonly subscription: Subscription | undefined;
}

function Detail({ delivery, subscription }: DetailProps) {
  const { hooks } = useHookMessages();
  const { status, error, request, response } = delivery;
  return (
    <>
      <Facts delivery={delivery} subscription={subscription} />
      {error !== null && <p className={styles.error}>{error}</p>}
      <div className={cx(styles.sides, response === null && styles.alone)}>
        <section aria-label={hooks.request} className={styles.side}>
          <h3>{hooks.request}</h3>
          {request === null ? (
            <p>{hooks.notSent}</p>
          ) : (
            <>
              <p className={styles.url}>POST {request.url}</p>
              <Headers headers={request.headers} />
              <Body text={request.body} />
            </>
          )}
        </section>
        {status !== 'pending' && (
          <section aria-label={hooks.response} className={styles.side}>
            <h3>{hooks.response}</h3>
            {response === null ? (
              <p>{hooks.noResponse}</p>
            ) : (
              <>
                <p className={styles.url}>{response.status}</p>
                <Headers headers={response.headers ?? {}} />
                <Body text={response.body} />
              </>
            )}
          </section>
        )}
      </div>
    </>
  );
}

/** The state of an attempt, its time, and when the next one is made. */
function Facts({ delivery, subscription }: DetailProps) {
  const { hooks, webhooks } = useHookMessages();
  const format = useFormat();
  const { status, attempt, createdAt, sentAt, durationMs, nextAttemptAt } = delivery;
  const at = sentAt ?? createdAt;
  const isLate = isOverdue(delivery);
  return (
    <p className={styles.facts}>
      <Badge tone={TONES[status]}>{webhooks[status]}</Badge>
      {subscription && <span>{nameOf(subscription)}</span>}
      <span>
        {webhooks.attempt} {format.number(attempt)}
      </span>
      <time dateTime={at}>{format.exact(at)}</time>
      {durationMs !== null && <span>{format.number(durationMs)} ms</span>}
      {nextAttemptAt !== null && !isLate && (
        <span>
          {hooks.nextAttempt}: {format.exact(nextAttemptAt)}
        </span>
      )}
      {status === 'pending' && isLate && (
        <span>{subscription?.isThrottled ? hooks.waitsForReceiver : hooks.dueNow}</span>
      )}
      {status !== 'succeeded' && <WhyButton query={{ kind: 'delivery', id: delivery.id }} />}
    </p>
  );
}

const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => (
  <dl className={styles.headers}>
    {Object.entries(headers).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/**
 * A body with JSON on several lines. It is copied exactly as it was sent or received: its signature covers
 * every byte.
 */
function Body({ text }: { readonly text: string | null }) {
  const { hooks, settings } = useHookMessages();
  const copy = useCopy();
  if (text === null) {
    return <p>{hooks.bodyGone}</p>;
  }
  const shown = onLines(text);
  return (
    <>
      <pre className={styles.body} tabIndex={0} aria-label={hooks.body} role="region">
        {shown}
      </pre>
      {shown !== text && <p className={styles.formatted}>{hooks.formatted}</p>}
      {/* Only secure pages may write to the clipboard. */}
      {'clipboard' in navigator && text !== '' && (
        <Button isSmall onPress={() => copy(text)}>
          {settings.copy}
        </Button>
      )}
    </>
  );
}

/** Returns JSON with indents, and any other text as it is. */
function onLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
