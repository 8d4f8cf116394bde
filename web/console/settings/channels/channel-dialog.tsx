import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ConflictNote } from '../forms/conflict-note.tsx';
import { EntryFields } from '../forms/entry-fields.tsx';
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
  const { common } = useMessages();
  const { attempt, dialog } = useAttempts();
  const form = useEntryForm({
    section: 'channels',
    shape: { member: channel },
    fields: channelFields(provider, entry === undefined),
    entry,
    readAgain,
    complete: (saved) => completeChannel(provider, saved),
  });
  const submit = async () => {
    if (await form.submit()) {
      onClose();
      onSaved(channel);
    }
  };
  return (
    <>
      <FormDialog
        title={title}
        submit={common.save}
        isOpen
        isWide
        isPending={form.isPending}
        onClose={onClose}
        onSubmit={() => attempt(submit)}
      >
        <ConflictNote conflict={form.conflict} />
        <EntryFields form={form} />
      </FormDialog>
      {dialog}
    </>
  );
}
