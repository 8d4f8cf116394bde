import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { RetryButton } from './retry-button.tsx';
import { useDelivery, type DeliveryDetail } from './webhook-queries.ts';
import styles from './webhooks.module.css';

interface DeliveryDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** An attempt with its request beside the response. */
export function DeliveryDialog({ id, onClose }: DeliveryDialogProps) {
  const { hooks, webhooks } = useMessages();
  const { data, error, refetch } = useDelivery(id);
  const actions = (
    <>
      {data && data.status !== 'pending' && (
        <RetryButton id={id} subscriptionId={data.subscriptionId} />
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
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows />}
      {data && <Detail delivery={data} />}
    </Dialog>
  );
}

const TONES = { pending: 'neutral', succeeded: 'good', failed: 'bad' } as const;

function Detail({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { hooks, webhooks } = useMessages();
  const format = useFormat();
  const {
    status,
    attempt,
    createdAt,
    sentAt,
    durationMs,
    error,
    nextAttemptAt,
    request,
    response,
  } = delivery;
  const at = sentAt ?? createdAt;
  return (
    <>
      <p className={styles.facts}>
        <Badge tone={TONES[status]}>{webhooks[status]}</Badge>
        <span>
          {webhooks.attempt} {format.number(attempt)}
        </span>
        <time dateTime={at}>{format.exact(at)}</time>
        {durationMs !== null && <span>{format.number(durationMs)} ms</span>}
        {nextAttemptAt !== null && (
          <span>
            {hooks.nextAttempt}: {format.exact(nextAttemptAt)}
          </span>
        )}
      </p>
      {error !== null && <p className={styles.error}>{error}</p>}
      <div className={styles.sides}>
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
      </div>
    </>
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

/** A body exactly as it was sent or received: its signature covers every byte. */
function Body({ text }: { readonly text: string | null }) {
  const { hooks, settings } = useMessages();
  if (text === null) {
    return <p>{hooks.bodyGone}</p>;
  }
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    showToast({ text: settings.copied });
  };
  return (
    <>
      <pre className={styles.body} tabIndex={0} aria-label={hooks.body} role="region">
        {text}
      </pre>
      {/* Only secure pages may write to the clipboard. */}
      {'clipboard' in navigator && text !== '' && (
        <Button isSmall onPress={() => void copy()}>
          {settings.copy}
        </Button>
      )}
    </>
  );
}
