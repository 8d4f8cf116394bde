import { getLocalTimeZone, now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { DateTimeField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useReplay } from './webhook-queries.ts';

interface ReplayDialogProps {
  readonly subscriptionId: string;
  readonly onClose: () => void;
}

/** Asks since when the events of a subscription are sent again. */
export function ReplayDialog({ subscriptionId, onClose }: ReplayDialogProps) {
  const { webhooks } = useMessages();
  const describe = useErrorText();
  const replay = useReplay(subscriptionId);
  const [since, setSince] = useState<ZonedDateTime | null>(
    now(getLocalTimeZone()).subtract({ hours: 1 }),
  );
  const submit = () =>
    since !== null &&
    replay.mutate(since.toDate(), {
      onSuccess({ replayed }) {
        showToast({ text: webhooks.retried, detail: webhooks.replayed(replayed) });
        onClose();
      },
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
    });
  return (
    <FormDialog
      title={webhooks.replayTitle}
      submit={webhooks.replay}
      isOpen
      isPending={replay.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <DateTimeField label={webhooks.since} value={since} onChange={setSince} />
    </FormDialog>
  );
}
