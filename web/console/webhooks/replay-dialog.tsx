import { now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { EVENT_NAMES } from '../../../sdk/src/generated/event-fields.ts';
import { useZone } from '../i18n/zone.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Note } from '../ui/note.tsx';
import { Select } from '../ui/select.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { EventSelect } from './event-select.tsx';
import { useHookMessages } from './hook-messages.ts';
import { isFailing } from './receiver-state.tsx';
import {
  useReplay,
  useReplayCount,
  type ReplayScope,
  type ReplaySelection,
  type Subscription,
} from './webhook-queries.ts';

interface ReplayDialogProps {
  readonly subscriptions: readonly Subscription[];
  /** The subscription that is chosen at first. */
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

const SCOPES: readonly ReplayScope[] = ['failed', 'all'];

/** Asks which events are sent again to which subscription, and shows how many these are. */
export function ReplayDialog({ subscriptions, subscription, onClose }: ReplayDialogProps) {
  const { hooks, webhooks } = useHookMessages();
  const describe = useErrorText();
  const [id, setId] = useState(subscription.id);
  const to = subscriptions.find((one) => one.id === id) ?? subscription;
  const { selection, fields } = useSelection(to);
  const [chosen, setChosen] = useState<ReplayScope>();
  const replay = useReplay(id);
  const { data: counts } = useReplayCount(id, selection);
  // Events that were delivered are sent again only if that is chosen, or if none has failed.
  const only = chosen ?? (counts && counts.failed > 0 ? 'failed' : 'all');
  const submit = () =>
    selection !== undefined &&
    replay.mutate(
      { selection, only },
      {
        onSuccess({ replayed }) {
          showToast({ text: webhooks.replayed(replayed) });
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
      isDisabled={selection === undefined || (chosen === undefined && counts === undefined)}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label={hooks.subscription}
        value={id}
        options={subscriptions.map((one) => ({ id: one.id, label: one.description ?? one.url }))}
        onChange={setId}
      />
      {fields}
      <Select
        label={hooks.whichEvents}
        value={only}
        options={SCOPES.map((one) => ({ id: one, label: hooks.replayScopes[one] }))}
        onChange={(scope) => setChosen(SCOPES.find((one) => one === scope))}
      />
      {counts && <p role="status">{hooks.wouldReplay(counts[only])}</p>}
      {isFailing(to) && (
        <Note title={hooks.receiverFails}>
          <p>{hooks.receiverFailsText(hooks.inARow(to.consecutiveFailures))}</p>
        </Note>
      )}
    </FormDialog>
  );
}

/** Returns what is replayed, and the fields for it; undefined without a beginning. */
function useSelection({ id, events }: Subscription) {
  const { hooks, webhooks } = useHookMessages();
  const zone = useZone();
  const [since, setSince] = useSince(id);
  const [until, setUntil] = useState<ZonedDateTime | null>(null);
  const [event, setEvent] = useState<string>();
  const names = events.includes('*') ? EVENT_NAMES : events;
  // A subscription that is chosen later may not have selected the event.
  const named = names.find((one) => one === event);
  const selection: ReplaySelection | undefined = since
    ? { since: since.toDate(), until: until?.toDate(), event: named }
    : undefined;
  const fields = (
    <>
      <DateTimeField label={`${webhooks.since} (${zone})`} value={since} onChange={setSince} />
      <DateTimeField
        label={`${hooks.until} (${zone})`}
        description={hooks.untilNow}
        value={until}
        placeholderValue={now(zone)}
        onChange={setUntil}
      />
      <EventSelect label={hooks.events} value={named} names={names} onChange={setEvent} />
    </>
  );
  return { selection, fields };
}

/** Returns the start of the replay: a day ago if events of the last day failed, else an hour ago. */
function useSince(subscriptionId: string) {
  const zone = useZone();
  const [[hourAgo, dayAgo]] = useState(() => {
    // The field shows minutes.
    const opened = now(zone).set({ second: 0, millisecond: 0 });
    return [opened.subtract({ hours: 1 }), opened.subtract({ days: 1 })] as const;
  });
  const [typed, setTyped] = useState<ZonedDateTime | null>();
  const { data: ofDay } = useReplayCount(subscriptionId, {
    since: dayAgo.toDate(),
    until: undefined,
    event: undefined,
  });
  const atFirst = ofDay && ofDay.failed > 0 ? dayAgo : hourAgo;
  return [typed === undefined ? atFirst : typed, setTyped] as const;
}
