import { EntryDialog } from '../forms/entry-dialog.tsx';
import type { Entry } from '../forms/entry.ts';
import { useEntryForm } from '../forms/use-entry-form.ts';
import { channelFields, completeChannel, type Channel, type Provider } from './providers.ts';

export interface OpenedChannel {
  readonly channel: Channel;
  readonly provider: Provider;
  /** Undefined for a channel that is connected now. */
  readonly entry: Entry | undefined;
}

interface ChannelDialogProps extends OpenedChannel {
  readonly title: string;
  readonly readAgain: () => Promise<Entry | undefined>;
  readonly onClose: () => void;
  /** Called after the dialog has closed. */
  readonly onSaved: (channel: Channel) => void;
}

/** The account of a channel at its provider. Saving it leads to the connection test. */
export function ChannelDialog(props: ChannelDialogProps) {
  const { channel, provider, entry, title, readAgain, onClose, onSaved } = props;
  const form = useEntryForm({
    section: 'channels',
    shape: { member: channel },
    fields: channelFields(provider, entry === undefined),
    entry,
    readAgain,
    complete: (saved) => completeChannel(provider, saved),
  });
  return (
    <EntryDialog title={title} form={form} onClose={onClose} onSaved={() => onSaved(channel)} />
  );
}
