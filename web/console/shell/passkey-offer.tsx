import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAddPasskey, usePasskeys } from '../sign-in/passkey-queries.ts';
import { useSignInMethods } from '../sign-in/sign-in-queries.ts';
import { Button } from '../ui/button.tsx';
import { stored } from '../ui/stored.ts';
import { showToast } from '../ui/toast.tsx';
import { useAttempts } from './recent-sign-in.tsx';
import { stepUpMessages } from './step-up-messages.ts';
import styles from './step-up.module.css';

/** Passkeys belong to a name: a server that is reached by its IP address has none. */
const canHavePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname);

/**
 * Offers a passkey right after a sign-in with a link, where no mail is sent: without one, the
 * next sign-in needs a link from the server. It can be dismissed, for good in this browser.
 */
export function PasskeyOffer() {
  const { user } = usePlace().session;
  const dismissal = stored(`passkey-offer.${user.id}`);
  const [isDismissed, setDismissed] = useState(() => dismissal.read() !== undefined);
  const { data: methods } = useSignInMethods();
  const { data: passkeys } = usePasskeys();
  const isOffered = methods?.mail === false && passkeys?.length === 0 && canHavePasskeys();
  const dismiss = () => {
    dismissal.write('dismissed');
    setDismissed(true);
  };
  return isOffered && !isDismissed ? <Offer onDismiss={dismiss} /> : null;
}

function Offer({ onDismiss }: { readonly onDismiss: () => void }) {
  const { shell } = useMessages();
  const texts = stepUpMessages();
  const add = useAddPasskey();
  const { attempt, dialog } = useAttempts();
  return (
    <section aria-labelledby="passkey-offer" className={styles.offer}>
      <div className={styles.offerText}>
        <p id="passkey-offer" className={styles.offerTitle}>
          {texts.offerTitle}
        </p>
        <p className={styles.offerHint}>{texts.offerText}</p>
      </div>
      <Button isSmall onPress={onDismiss}>
        {texts.offerLater}
      </Button>
      <Button
        look="primary"
        icon="key"
        isSmall
        isPending={add.isPending}
        onPress={() =>
          attempt(async () => {
            await add.mutateAsync();
            showToast({ text: shell.passkeyAdded });
          })
        }
      >
        {texts.offerAdd}
      </Button>
      {dialog}
    </section>
  );
}
