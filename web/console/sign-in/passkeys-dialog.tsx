import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { BROWSER_ZONE } from '../i18n/zone.ts';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAddPasskey, useDeletePasskey, usePasskeys } from './passkey-queries.ts';
import styles from './sign-in.module.css';

/** The user's passkeys. A lost device is removed here. */
export function PasskeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { settings, shell } = useMessages();
  const add = useAddPasskey();
  const { attempt, dialog } = useAttempts();
  const actions = (
    <>
      <Button
        icon="plus"
        isPending={add.isPending}
        onPress={() =>
          attempt(async () => {
            await add.mutateAsync();
            showToast({ text: shell.passkeyAdded });
          })
        }
      >
        {shell.addPasskey}
      </Button>
      <Button look="primary" onPress={onClose}>
        {settings.done}
      </Button>
    </>
  );
  return (
    <>
      <Dialog title={settings.passkeys} isOpen onClose={onClose} actions={actions}>
        <PasskeyList attempt={attempt} />
      </Dialog>
      {dialog}
    </>
  );
}

type PasskeyListProps = Pick<ReturnType<typeof useAttempts>, 'attempt'>;

function PasskeyList({ attempt }: PasskeyListProps) {
  const { settings } = useMessages();
  const format = useFormat(BROWSER_ZONE);
  const { data: passkeys, error, refetch } = usePasskeys();
  const remove = useDeletePasskey();
  if (passkeys === undefined) {
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows />;
  }
  if (passkeys.length === 0) {
    return <p>{settings.noPasskeys}</p>;
  }
  return (
    <ul className={styles.passkeys} aria-label={settings.passkeys}>
      {passkeys.map(({ id, name, lastUsedAt }) => (
        <li key={id} className={styles.passkey}>
          <span className={styles.passkeyText}>
            <span className={styles.strong}>{name}</span>
            <span className={styles.hint}>
              {lastUsedAt === null
                ? settings.passkeyUnused
                : settings.passkeyUsed(format.relative(lastUsedAt))}
            </span>
          </span>
          <IconButton
            icon="close"
            label={settings.deletePasskey(name)}
            isDisabled={remove.isPending}
            onPress={() =>
              attempt(async () => {
                await remove.mutateAsync(id);
                showToast({ text: settings.passkeyDeleted, detail: name });
              })
            }
          />
        </li>
      ))}
    </ul>
  );
}
