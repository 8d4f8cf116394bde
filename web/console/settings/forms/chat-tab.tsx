import { useState } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import { EntryFields } from './entry-fields.tsx';
import { entryOf, formValuesOf, type Entry } from './entry.ts';
import { useChatFields } from './field-lists.ts';
import { useSaveSection, useSection } from './section-queries.ts';
import styles from './forms.module.css';

/** The live chat on websites. */
export function ChatTab() {
  const { entries, error, refetch } = useSection('chat');
  if (error) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return entries === undefined ? (
    <SkeletonRows />
  ) : (
    <ChatForm key={JSON.stringify(entries)} chat={entries[0] ?? {}} />
  );
}

function ChatForm({ chat }: { readonly chat: Entry }) {
  const { common } = useMessages();
  const fields = useChatFields();
  const { save, isPending, errorOf } = useSaveSection('chat');
  const { attempt, dialog } = useAttempts();
  const [values, setValues] = useState(() => formValuesOf(fields, chat));
  const submit = async () => {
    await save(entryOf(fields, chat, values));
    showToast({ text: common.saved });
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(submit);
      }}
    >
      <EntryFields fields={fields} values={values} onChange={setValues} errorOf={errorOf(null)} />
      <div>
        <Button look="primary" type="submit" isPending={isPending}>
          {common.save}
        </Button>
      </div>
      {dialog}
    </form>
  );
}
