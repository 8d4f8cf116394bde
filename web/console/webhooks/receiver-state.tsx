import type { ReactNode } from 'react';
import { useFormat } from '../i18n/format.ts';
import { Badge } from '../ui/badge.tsx';
import { useHookMessages } from './hook-messages.ts';
import type { Subscription } from './webhook-queries.ts';
import styles from './webhooks.module.css';

/** Fewer failures in a row may be a restart of the receiver. `frontdesk doctor` warns from here on, too. */
const FAILING_AT = 5;
/** The server counts up to here; more may wait. */
const WAITING_MAX = 1_000;

/** Returns whether the receiver of an active subscription refuses what it is sent. */
export const isFailing = ({ status, isThrottled, consecutiveFailures }: Subscription): boolean =>
  status === 'active' && (isThrottled || consecutiveFailures >= FAILING_AT);

/** Returns what a subscription is called: its description, or the host of its receiver. */
export const nameOf = ({ description, url }: Pick<Subscription, 'description' | 'url'>): string =>
  description ?? hostOf(url);

/** Returns the host of a URL. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

/** Returns the function that writes how many deliveries of a subscription wait, such as "1,000+". */
export function useWaitingText() {
  const format = useFormat();
  return ({ waiting }: Subscription): string =>
    `${format.number(waiting)}${waiting >= WAITING_MAX ? '+' : ''}`;
}

/** Whether the receiver of a subscription works, and why not. */
export function ReceiverState({ subscription }: { readonly subscription: Subscription }) {
  const { hooks, webhooks } = useHookMessages();
  const { status, disabledReason, consecutiveFailures } = subscription;
  if (status === 'disabled') {
    const reason = disabledReason ?? '';
    const text = hooks.reasons[reason];
    return (
      <State badge={<Badge tone="bad">{webhooks.disabled}</Badge>}>
        {/* Reasons without a translation are the server's, in English. */}
        <span lang={text === undefined ? 'en' : undefined}>{text ?? reason}</span>
      </State>
    );
  }
  if (consecutiveFailures === 0) {
    return <State badge={<Badge tone="good">{webhooks.active}</Badge>} />;
  }
  const tone = isFailing(subscription) ? 'bad' : 'warn';
  return (
    <State badge={<Badge tone={tone}>{hooks.failing}</Badge>}>
      <Failures subscription={subscription} />
    </State>
  );
}

const State = ({
  badge,
  children,
}: {
  readonly badge: ReactNode;
  readonly children?: ReactNode;
}) => (
  <div className={styles.state}>
    {badge}
    {children}
  </div>
);

/** How often the receiver failed in a row, since when, and how much waits for it. */
function Failures({ subscription }: { readonly subscription: Subscription }) {
  const { hooks } = useHookMessages();
  const format = useFormat();
  const waitingText = useWaitingText();
  const { consecutiveFailures, failingSince, isThrottled, waiting } = subscription;
  return (
    <>
      <span className={styles.failures}>{hooks.inARow(consecutiveFailures)}</span>
      {failingSince !== null && <span>{hooks.since(format.dayAndTime(failingSince))}</span>}
      {isThrottled && waiting > 0 && <span>{hooks.waiting(waitingText(subscription))}</span>}
    </>
  );
}
