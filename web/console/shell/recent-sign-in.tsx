import { useState, type ReactNode } from 'react';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { useIsRecentSignIn, usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useMailSignIn, usePasskeySignIn, useSignInMethods } from '../sign-in/sign-in-queries.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast, useClearErrors } from '../ui/toast.tsx';

const needsRecentSignIn = (error: unknown): boolean =>
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

/**
 * Returns the dialog that asks for a sign-in when a form opens which needs a recent one: the form is not
 * filled in first. It can be dismissed; the change then asks again.
 */
export function useEarlySignIn(): ReactNode {
  const [isDismissed, setDismissed] = useState(false);
  const { data, refetch } = useIsRecentSignIn();
  return (
    data === false &&
    !isDismissed && (
      <RecentSignInDialog onClose={() => setDismissed(true)} onSignedIn={() => void refetch()} />
    )
  );
}

interface RecentSignInDialogProps {
  readonly onClose: () => void;
  readonly onSignedIn: () => void;
}

/** Asks for a passkey, or for a link by mail that is opened in this browser. */
function RecentSignInDialog({ onClose, onSignedIn }: RecentSignInDialogProps) {
  const { settings, signIn } = useMessages();
  const { email } = usePlace().session.user;
  const describe = useErrorText();
  const passkey = usePasskeySignIn();
  const mail = useMailSignIn();
  const hasMail = useSignInMethods().data?.mail !== false;
  const error = passkey.error ?? mail.error;
  const actions = (
    <>
      {mail.isSuccess || !hasMail ? (
        <Button onPress={onSignedIn}>{settings.continue}</Button>
      ) : (
        <Button isPending={mail.isPending} onPress={() => mail.mutate(email)}>
          {signIn.sendLink}
        </Button>
      )}
      <Button
        look="primary"
        icon="key"
        isPending={passkey.isPending}
        onPress={() => passkey.mutate(undefined, { onSuccess: onSignedIn })}
      >
        {signIn.passkey}
      </Button>
    </>
  );
  return (
    <Dialog title={settings.recentTitle} isOpen onClose={onClose} actions={actions}>
      <p>{mail.isSuccess ? settings.recentSent(email) : settings.recentText}</p>
      {!hasMail && (
        <>
          <p>{settings.recentNoMail}</p>
          <CopyField
            label={settings.command}
            value={`frontdesk admin user link --email ${email}`}
          />
          <p>{settings.recentOpenLink}</p>
        </>
      )}
      {error && <p role="alert">{describe(error).detail ?? describe(error).title}</p>}
    </Dialog>
  );
}
