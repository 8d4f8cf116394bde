import { useState, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { useSignInMethods } from '../sign-in/sign-in-queries.ts';
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

interface LinkTexts {
  /** How long a link works. */
  readonly text: string;
  /** Why none is shown. */
  readonly noLink?: string;
  /** Whether the server mails a link, too, where mail is set up. */
  readonly isMailed?: boolean;
}

/** Returns what creates sign-in links. */
export function useLinks(
  create: (id: string) => Promise<{ readonly link?: string | null }>,
  { text, noLink = '', isMailed = false }: LinkTexts,
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
        {shown && (
          <LinkDialog
            {...shown}
            noLink={noLink}
            isMailed={isMailed}
            onClose={() => setShown(undefined)}
          />
        )}
        {dialog}
      </>
    ),
  };
}

interface LinkDialogProps {
  readonly email: string;
  readonly link: string | null;
  readonly noLink: string;
  readonly isMailed: boolean;
  readonly onClose: () => void;
}

/** Shows a link once. */
function LinkDialog({ email, link, noLink, isMailed, onClose }: LinkDialogProps) {
  const { settings } = useMessages();
  const texts = ownerMessages().links;
  const mailHint = useMailHint(isMailed);
  const done = (
    <Button look="primary" onPress={onClose}>
      {settings.done}
    </Button>
  );
  return (
    <Dialog title={texts.shown} isOpen onClose={onClose} actions={done}>
      <p className={styles.text}>
        {link === null ? noLink : `${texts.shownText(email)} ${mailHint}`}
      </p>
      {link !== null && <CopyField label={settings.link} value={link} />}
    </Dialog>
  );
}

/** Returns whether the person gets a mail as well as the shown link, in words; '' until it is known. */
export function useMailHint(isMailed: boolean): string {
  const texts = ownerMessages().links;
  const { data } = useSignInMethods();
  if (data === undefined) {
    return '';
  }
  return isMailed && data.mail === true ? texts.isMailed : texts.notMailed;
}
