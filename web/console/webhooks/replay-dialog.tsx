import { now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import type { Webhook } from '../../../sdk/src/generated/webhooks.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Select } from '../ui/select.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useReplay, useReplayCount, type ReplayScope } from './webhook-queries.ts';

interface ReplayDialogProps {
  readonly subscriptions: readonly Webhook[];
  /** The subscription that is chosen at first. */
  readonly subscription: Webhook;
  readonly onClose: () => void;
}

const SCOPES: readonly ReplayScope[] = ['failed', 'all'];

/** Asks which events are sent again to which subscription, and shows how many these are. */
export function ReplayDialog({ subscriptions, subscription, onClose }: ReplayDialogProps) {
  const { hooks, webhooks } = useMessages();
  const zone = useZone();
  const describe = useErrorText();
  const [id, setId] = useState(subscription.id);
  const [since, setSince] = useSince(id);
  const [chosen, setChosen] = useState<ReplayScope>();
  const replay = useReplay(id);
  const { data: counts } = useReplayCount(id, since?.toDate());
  // Events that were delivered are sent again only if that is chosen, or if none has failed.
  const only = chosen ?? (counts && counts.failed > 0 ? 'failed' : 'all');
  const submit = () =>
    since !== null &&
    replay.mutate(
      { since: since.toDate(), only },
      {
        onSuccess({ replayed }) {
          showToast({ text: webhooks.retried, detail: webhooks.replayed(replayed) });
          onClose();
        },
        onError(error) {
          const { title, detail } = describe(error);
          showToast({ text: title, detail, isError: true });
        },
      },
    );
  return (
    <FormDialog
      title={webhooks.replayTitle}
      submit={webhooks.replay}
      isOpen
      isPending={replay.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label={hooks.subscription}
        value={id}
        options={subscriptions.map((one) => ({ id: one.id, label: one.url }))}
        onChange={setId}
      />
      <DateTimeField label={`${webhooks.since} (${zone})`} value={since} onChange={setSince} />
      <Select
        label={hooks.events}
        value={only}
        options={SCOPES.map((one) => ({ id: one, label: hooks.replayScopes[one] }))}
        onChange={(to) => setChosen(SCOPES.find((one) => one === to))}
      />
      {counts && <p role="status">{hooks.wouldReplay(counts[only])}</p>}
    </FormDialog>
  );
}

/** Returns the start of the replay: a day ago if events of the last day failed, else an hour ago. */
function useSince(subscriptionId: string) {
  const zone = useZone();
  const [[hourAgo, dayAgo]] = useState(() => {
    const opened = now(zone);
    return [opened.subtract({ hours: 1 }), opened.subtract({ days: 1 })] as const;
  });
  const [typed, setTyped] = useState<ZonedDateTime | null>();
  const { data: ofDay } = useReplayCount(subscriptionId, dayAgo.toDate());
  const atFirst = ofDay && ofDay.failed > 0 ? dayAgo : hourAgo;
  return [typed === undefined ? atFirst : typed, setTyped] as const;
}
