import { useEffect, useRef } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { needsRecentSignIn, useAttempts } from '../shell/recent-sign-in.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAddPasskey } from './passkey-queries.ts';

/** Adds a passkey as soon as it appears. A sign-in that is too old is asked for first. */
export function AddPasskey() {
  const { shell } = useMessages();
  const describe = useErrorText();
  const add = useAddPasskey();
  const { attempt, dialog } = useAttempts();
  const hasBegun = useRef(false);
  const begin = async () => {
    try {
      await add.mutateAsync();
      showToast({ text: shell.passkeyAdded });
    } catch (error) {
      if (needsRecentSignIn(error)) {
        throw error;
      }
      const { title, detail } = describe(error);
      showToast({ text: shell.passkeyFailed, detail: detail ?? title, isError: true });
    }
  };
  useEffect(() => {
    if (!hasBegun.current) {
      hasBegun.current = true;
      attempt(begin);
    }
  });
  return dialog;
}
