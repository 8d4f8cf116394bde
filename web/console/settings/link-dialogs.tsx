import { useState, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ownerMessages } from './owner-messages.ts';
import styles from './settings.module.css';

interface Person {
  readonly id: string;
  readonly email: string;
}

interface Links {
  /** Asks, and then shows a new sign-in link. */
  readonly ask: (person: Person) => void;
  /** The dialogs; they belong on the page. */
  readonly dialog: ReactNode;
}

/** Returns what creates sign-in links. `text` says how long they work, `noLink` why none is shown. */
export function useLinks(
  create: (id: string) => Promise<{ readonly link?: string | null }>,
  { text, noLink = '' }: { readonly text: string; readonly noLink?: string },
): Links {
  const texts = ownerMessages().links;
  const { attempt, dialog } = useAttempts();
  const [asked, ask] = useState<Person>();
  const [shown, setShown] = useState<{ readonly email: string; readonly link: string | null }>();
  const make = async ({ id, email }: Person) => {
    const { link = null } = await create(id);
    setShown({ email, link });
  };
  return {
    ask,
    dialog: (
      <>
        {asked && (
          <ConfirmDialog
            title={texts.title(asked.email)}
            text={text}
            confirm={texts.create}
            onClose={() => ask(undefined)}
            onConfirm={() => attempt(() => make(asked))}
          />
        )}
        {shown && <LinkDialog {...shown} noLink={noLink} onClose={() => setShown(undefined)} />}
        {dialog}
      </>
    ),
  };
}

interface LinkDialogProps {
  readonly email: string;
  readonly link: string | null;
  readonly noLink: string;
  readonly onClose: () => void;
}

/** Shows a link once. */
function LinkDialog({ email, link, noLink, onClose }: LinkDialogProps) {
  const { settings } = useMessages();
  const texts = ownerMessages().links;
  const done = (
    <Button look="primary" onPress={onClose}>
      {settings.done}
    </Button>
  );
  return (
    <Dialog title={texts.shown} isOpen onClose={onClose} actions={done}>
      <p className={styles.text}>{link === null ? noLink : texts.shownText(email)}</p>
      {link !== null && <CopyField label={settings.link} value={link} />}
    </Dialog>
  );
}
