import { useFormat } from '../i18n/format.ts';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { showToast } from '../ui/toast.tsx';
import { useHookMessages } from './hook-messages.ts';
import { isFailing, nameOf, useWaitingText } from './receiver-state.tsx';
import { useSubscriptionActions, type Subscription } from './webhook-queries.ts';
import styles from './webhooks.module.css';

const SHOWN_MAX = 3;

interface FailingReceiversProps {
  /** Those of which the deliveries are shown. */
  readonly subscriptions: readonly Subscription[];
  /** Shows the failed deliveries of a subscription. */
  readonly onShowFailed: (subscriptionId: string) => void;
  readonly onShowSubscriptions: () => void;
}

/** Warns of receivers that fail: why their deliveries wait, and what to do. */
export function FailingReceivers(props: FailingReceiversProps) {
  const { hooks } = useHookMessages();
  const failing = props.subscriptions.filter(isFailing);
  const others = failing.length - SHOWN_MAX;
  return (
    failing.length > 0 && (
      <div className={styles.notes}>
        {failing.slice(0, SHOWN_MAX).map((one) => (
          <FailingReceiver
            key={one.id}
            subscription={one}
            onShowFailed={() => props.onShowFailed(one.id)}
          />
        ))}
        {others > 0 && (
          <p>
            {hooks.moreFail(others)}{' '}
            <Button look="ghost" isSmall onPress={props.onShowSubscriptions}>
              {hooks.showSubscriptions}
            </Button>
          </p>
        )}
      </div>
    )
  );
}

interface FailingReceiverProps {
  readonly subscription: Subscription;
  readonly onShowFailed: () => void;
}

function FailingReceiver({ subscription, onShowFailed }: FailingReceiverProps) {
  const { hooks } = useHookMessages();
  const format = useFormat();
  const waitingText = useWaitingText();
  const { test } = useSubscriptionActions(subscription.id);
  const { attempt, dialog } = useAttempts();
  const { consecutiveFailures, failingSince, isThrottled, pausedUntil } = subscription;
  const failures = hooks.inARow(consecutiveFailures);
  const send = () =>
    attempt(async () => {
      await test.mutateAsync();
      showToast({ text: hooks.testSent });
    });
  return (
    <Note title={hooks.failsTitle(nameOf(subscription))}>
      <p>
        {failingSince === null
          ? `${failures}.`
          : hooks.failsSince(failures, format.dayAndTime(failingSince))}{' '}
        {isThrottled ? hooks.throttled(waitingText(subscription)) : hooks.retriedLater}{' '}
        {pausedUntil !== null && hooks.nextTry(format.exact(pausedUntil))}
      </p>
      <p>{hooks.whatToDo}</p>
      <div className={styles.noteActions}>
        <Button isSmall onPress={onShowFailed}>
          {hooks.showFailed}
        </Button>
        <Button isSmall isPending={test.isPending} onPress={send}>
          {hooks.test}
        </Button>
      </div>
      {dialog}
    </Note>
  );
}
