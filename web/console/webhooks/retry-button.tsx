import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useRetry } from './webhook-queries.ts';

interface RetryButtonProps {
  readonly id: string;
  readonly subscriptionId: string;
  readonly isSmall?: boolean;
  /** Called with the id of the new attempt. */
  readonly onQueued?: (id: string) => void;
}

/** Sends the event of an attempt again. */
export function RetryButton({ id, subscriptionId, isSmall = false, onQueued }: RetryButtonProps) {
  const { webhooks } = useMessages();
  const describe = useErrorText();
  const retry = useRetry(subscriptionId);
  const send = () =>
    retry.mutate(id, {
      onSuccess(queued) {
        showToast({ text: webhooks.retried });
        onQueued?.(queued.id);
      },
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
    });
  return (
    <Button isSmall={isSmall} isPending={retry.isPending} onPress={send}>
      {webhooks.retry}
    </Button>
  );
}
