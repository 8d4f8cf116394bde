import { useState } from 'react';
import type { Session } from '../api/console-types.ts';
import { useSignOut } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import styles from '../sign-in/sign-in.module.css';
import { lazily } from '../ui/lazily.tsx';

const NewSubAccountDialog = lazily(
  async () => (await import('../agency/new-sub-account-dialog.tsx')).NewSubAccountDialog,
);

/** What a user without a sub-account can do: an owner creates the first one. */
export function NoSubAccount({ session }: { readonly session: Session }) {
  const { agency, shell } = useMessages();
  const [isCreating, setCreating] = useState(false);
  const signOut = useSignOut();
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand} aria-hidden="true">
          <Icon name="inbox" size={20} />
        </div>
        <h1 className={styles.title}>{shell.noSubAccount}</h1>
        <p>{session.isOwner ? shell.firstSubAccountText : shell.noSubAccountText}</p>
        {session.isOwner && (
          <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
            {agency.newSubAccount}
          </Button>
        )}
        <Button look="ghost" onPress={() => signOut.mutate()}>
          {shell.signOut}
        </Button>
      </div>
      {isCreating && <NewSubAccountDialog onClose={() => setCreating(false)} />}
    </main>
  );
}
