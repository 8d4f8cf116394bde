import { useState } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, TIME_WIDTH } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { useHookMessages } from './hook-messages.ts';
import { ReceiverState } from './receiver-state.tsx';
import { SubscriptionMenu } from './subscription-menu.tsx';
import { useSubscriptionActions, type Subscription } from './webhook-queries.ts';
import styles from './webhooks.module.css';

/** The subscriptions of the sub-account with the state of their receivers. */
export function Subscriptions({
  subscriptions,
}: {
  readonly subscriptions: readonly Subscription[];
}) {
  const { hooks, settings, webhooks } = useHookMessages();
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
        {
          id: 'url',
          title: webhooks.url,
          cell: (subscription) => <Receiver subscription={subscription} />,
        },
        {
          id: 'status',
          title: webhooks.status,
          width: '9.75rem',
          cell: (subscription) => <ReceiverState subscription={subscription} />,
        },
        {
          id: 'events',
          title: hooks.events,
          isSecondary: true,
          width: '20%',
          cell: ({ events }) => <Events names={events} />,
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
          width: '5.5rem',
          cell: (subscription) => <SubscriptionMenu subscription={subscription} />,
        },
      ]}
    />
  );
}

function Events({ names }: { readonly names: readonly string[] }) {
  const { hooks } = useHookMessages();
  const text = names.includes('*') ? hooks.allEvents : names.join(', ');
  return (
    <span className={styles.response} title={text}>
      {text}
    </span>
  );
}

/** What the subscription is for, its address, and until when its former secret is valid. */
const Receiver = ({ subscription }: { readonly subscription: Subscription }) => (
  <div className={styles.receiver}>
    {subscription.description !== null && <span>{subscription.description}</span>}
    <span className={subscription.description === null ? undefined : styles.address}>
      {subscription.url}
    </span>
    {subscription.previousSecretUntil !== null && (
      <FormerSecret id={subscription.id} until={subscription.previousSecretUntil} />
    )}
  </div>
);

interface FormerSecretProps {
  readonly id: string;
  readonly until: string;
}

/** Says until when the secret before the last rotation is valid, and ends it on request. */
function FormerSecret({ id, until }: FormerSecretProps) {
  const { hooks } = useHookMessages();
  const format = useFormat();
  const { endPreviousSecret } = useSubscriptionActions(id);
  const { attempt, dialog } = useAttempts();
  const [isAsking, setAsking] = useState(false);
  const end = () =>
    attempt(async () => {
      await endPreviousSecret.mutateAsync();
      showToast({ text: hooks.ended });
    });
  return (
    <span className={styles.former}>
      {hooks.formerSecret(format.dayAndTime(until))}
      <Button isSmall onPress={() => setAsking(true)}>
        {hooks.endNow}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={hooks.endTitle}
          text={hooks.endText}
          confirm={hooks.endNow}
          isDangerous
          onClose={() => setAsking(false)}
          onConfirm={end}
        />
      )}
      {dialog}
    </span>
  );
}
