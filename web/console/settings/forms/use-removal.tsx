import { useState, type ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.tsx';
import { useAttempts } from '../../shell/recent-sign-in.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useRemoveEntry } from './section-queries.ts';

interface Removable {
  /** The key of the entry, or the name of the member. */
  readonly key: string;
  readonly name: string;
  /** What becomes of its records. */
  readonly text: string;
}

interface Removal {
  /** Asks before it removes an entry of the section. */
  readonly ask: (entry: Removable) => void;
  /** The dialogs that ask; they belong on the page. */
  readonly dialog: ReactNode;
}

/** Returns what removes entries of a section of the manifest. */
export function useRemoval(section: string): Removal {
  const { settings, forms } = useMessages();
  const { attempt, dialog } = useAttempts();
  const remove = useRemoveEntry(section);
  const [asked, ask] = useState<Removable>();
  const removeEntry = async ({ key, name }: Removable) => {
    const reason = await remove(key);
    if (reason === undefined) {
      showToast({ text: settings.removed, detail: name });
    } else {
      showToast({ text: forms.notRemoved(name), detail: reason, isError: true });
    }
  };
  return {
    ask,
    dialog: (
      <>
        {asked && (
          <ConfirmDialog
            title={forms.removeTitle(asked.name)}
            text={asked.text}
            confirm={settings.remove}
            isDangerous
            onClose={() => ask(undefined)}
            onConfirm={() => attempt(() => removeEntry(asked))}
          />
        )}
        {dialog}
      </>
    ),
  };
}
