import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ConflictNote } from './conflict-note.tsx';
import { EntryFields } from './entry-fields.tsx';
import type { Entry } from './entry.ts';
import { useChatFields } from './field-lists.ts';
import { useSection } from './section-queries.ts';
import { useEntryForm } from './use-entry-form.ts';
import styles from './forms.module.css';

/** The live chat on websites. */
export function ChatTab() {
  const { entries, error, refetch, readAgain } = useSection('chat');
  if (error) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return entries === undefined ? (
    <SkeletonRows />
  ) : (
    <ChatForm chat={entries[0]} readAgain={async () => (await readAgain())[0]} />
  );
}

interface ChatFormProps {
  /** Undefined if the manifest has no chat yet. */
  readonly chat: Entry | undefined;
  readonly readAgain: () => Promise<Entry | undefined>;
}

function ChatForm({ chat, readAgain }: ChatFormProps) {
  const { common } = useMessages();
  const form = useEntryForm({
    section: 'chat',
    shape: 'single',
    fields: useChatFields(),
    entry: chat,
    readAgain,
  });
  const { attempt, dialog } = useAttempts();
  const submit = async () => {
    if (await form.submit()) {
      showToast({ text: common.saved });
    }
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(submit);
      }}
    >
      <ConflictNote conflict={form.conflict} />
      <EntryFields form={form} />
      <div>
        <Button look="primary" type="submit" isPending={form.isPending}>
          {common.save}
        </Button>
      </div>
      {dialog}
    </form>
  );
}
