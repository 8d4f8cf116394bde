import { useState, type ReactNode } from 'react';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { useIsRecentSignIn, usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { usePasskeys } from '../sign-in/passkey-queries.ts';
import { useMailSignIn, usePasskeySignIn, useSignInMethods } from '../sign-in/sign-in-queries.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast, useClearErrors } from '../ui/toast.tsx';
import { stepUpMessages } from './step-up-messages.ts';
import styles from './step-up.module.css';

/** Returns whether an error asks for a new sign-in. */
export const needsRecentSignIn = (error: unknown): boolean =>
  error instanceof FrontdeskError && error.details?.['reason'] === 'prove_again';

interface Attempts {
  /**
   * Makes a change and shows its error. A change that needs a recent sign-in is repeated after it.
   */
  readonly attempt: (make: () => Promise<unknown>) => void;
  /** The dialog that asks for the sign-in; it belongs on the page. */
  readonly dialog: ReactNode;
}

/** Returns what makes changes that may need a recent sign-in. */
export function useAttempts(): Attempts {
  const describe = useErrorText();
  const clearErrors = useClearErrors();
  const [waiting, setWaiting] = useState<() => Promise<unknown>>();
  const attempt = (make: () => Promise<unknown>) => {
    clearErrors();
    make().catch((error: unknown) => {
      if (needsRecentSignIn(error)) {
        setWaiting(() => make);
        return;
      }
      const { title, detail } = describe(error);
      showToast({ text: title, detail, isError: true });
    });
  };
  const dialog = waiting && (
    <RecentSignInDialog
      onClose={() => setWaiting(undefined)}
      onSignedIn={() => {
        setWaiting(undefined);
        attempt(waiting);
      }}
    />
  );
  return { attempt, dialog };
}

interface RecentSignInDialogProps {
  readonly onClose: () => void;
  readonly onSignedIn: () => void;
}

/** Asks for a passkey, or for a link that is opened in this browser. */
function RecentSignInDialog({ onClose, onSignedIn }: RecentSignInDialogProps) {
  const { signIn } = useMessages();
  const texts = stepUpMessages();
  const { email } = usePlace().session.user;
  const describe = useErrorText();
  const passkey = usePasskeySignIn();
  const mail = useMailSignIn();
  const hasMail = useSignInMethods().data?.mail !== false;
  const { data: passkeys = [] } = usePasskeys();
  const signedIn = useContinue(onSignedIn);
  const error = passkey.error ?? mail.error;
  const hasPasskey = passkeys.length > 0;
  const actions = (
    <>
      {mail.isSuccess || !hasMail ? (
        <Button look={hasPasskey ? 'secondary' : 'primary'} onPress={signedIn.check}>
          {texts.continue}
        </Button>
      ) : (
        <Button
          look={hasPasskey ? 'secondary' : 'primary'}
          isPending={mail.isPending}
          onPress={() => mail.mutate(email)}
        >
          {signIn.sendLink}
        </Button>
      )}
      {hasPasskey && (
        <Button
          look="primary"
          icon="key"
          isPending={passkey.isPending}
          onPress={() => passkey.mutate(undefined, { onSuccess: onSignedIn })}
        >
          {signIn.passkey}
        </Button>
      )}
    </>
  );
  return (
    <Dialog title={texts.title} isOpen onClose={onClose} actions={actions}>
      <div className={styles.text}>
        <p>{texts.text}</p>
        {hasPasskey && <p>{texts.passkey}</p>}
        {hasMail ? (
          <p>{mailText(email, hasPasskey, mail.isSuccess)}</p>
        ) : (
          <ServerLink email={email} />
        )}
        {error && <p role="alert">{describe(error).detail ?? describe(error).title}</p>}
        {signedIn.isMissing && <p role="alert">{texts.notYet}</p>}
      </div>
    </Dialog>
  );
}

function mailText(email: string, hasPasskey: boolean, isSent: boolean): string {
  const { sent, mail, mailOnly } = stepUpMessages();
  return isSent ? sent(email) : hasPasskey ? mail(email) : mailOnly(email);
}

/** How to sign in again where no mail is sent. */
function ServerLink({ email }: { readonly email: string }) {
  const texts = stepUpMessages();
  const { signIn } = useMessages();
  return (
    <>
      <p>{texts.noMail}</p>
      <CopyField label={texts.command} value={`frontdesk admin user link --email ${email}`} />
      <p>{signIn.localCommand}</p>
      <p>{texts.openLink}</p>
    </>
  );
}

/** Returns what continues after a new sign-in, and whether there is none yet. */
function useContinue(onSignedIn: () => void) {
  const { refetch } = useIsRecentSignIn();
  const [isMissing, setMissing] = useState(false);
  const check = async () => {
    setMissing(false);
    const { data } = await refetch();
    if (data === true) {
      onSignedIn();
    } else {
      setMissing(true);
    }
  };
  return { isMissing, check: () => void check() };
}
