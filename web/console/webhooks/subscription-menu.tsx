import { useState } from 'react';
import { useHookMessages } from './hook-messages.ts';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretDialog, SubscriptionDialog, type NewSecret } from './subscription-dialog.tsx';
import { useSubscriptionActions, type Subscription } from './webhook-queries.ts';

type SubscriptionAction = 'edit' | 'rotate' | 'remove';

/** What can be done with a subscription. */
export function SubscriptionMenu({ subscription }: { readonly subscription: Subscription }) {
  const { hooks, settings } = useHookMessages();
  const { id, url, status } = subscription;
  const { test, setStatus, remove } = useSubscriptionActions(id);
  const { attempt, dialog } = useAttempts();
  const [asked, setAsked] = useState<SubscriptionAction>();
  const [secret, setSecret] = useState<NewSecret>();
  const next = status === 'active' ? 'disabled' : 'active';
  const done = async (change: Promise<unknown>, text: string) => {
    await change;
    showToast({ text });
  };
  return (
    <>
      <Menu
        label={settings.actions(url)}
        placement="bottom end"
        trigger={<IconButton icon="more" label={settings.actions(url)} isSmall />}
      >
        <MenuItem onAction={() => setAsked('edit')}>{hooks.edit}</MenuItem>
        <MenuItem
          icon="send"
          onAction={() => attempt(() => done(test.mutateAsync(), hooks.testSent))}
        >
          {hooks.test}
        </MenuItem>
        <MenuItem icon="key" onAction={() => setAsked('rotate')}>
          {hooks.rotate}
        </MenuItem>
        <MenuItem onAction={() => attempt(() => done(setStatus.mutateAsync(next), hooks.changed))}>
          {status === 'active' ? hooks.disable : hooks.enable}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="close" isDangerous onAction={() => setAsked('remove')}>
          {hooks.remove}
        </MenuItem>
      </Menu>
      {asked && (
        <ActionDialog
          action={asked}
          subscription={subscription}
          onClose={() => setAsked(undefined)}
          attempt={attempt}
          onSecret={setSecret}
          onRemove={() => attempt(() => done(remove.mutateAsync(), hooks.removed))}
        />
      )}
      {secret !== undefined && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
      {dialog}
    </>
  );
}

interface ActionDialogProps {
  readonly action: SubscriptionAction;
  readonly subscription: Subscription;
  readonly onClose: () => void;
  readonly attempt: (make: () => Promise<unknown>) => void;
  readonly onSecret: (secret: NewSecret) => void;
  readonly onRemove: () => void;
}

function ActionDialog({
  action,
  subscription,
  attempt,
  onClose,
  onSecret,
  onRemove,
}: ActionDialogProps) {
  const { hooks } = useHookMessages();
  switch (action) {
    case 'edit':
      return (
        <SubscriptionDialog subscription={subscription} onClose={onClose} onSecret={onSecret} />
      );
    case 'rotate':
      return (
        <RotateDialog
          subscription={subscription}
          attempt={attempt}
          onClose={onClose}
          onSecret={onSecret}
        />
      );
    case 'remove':
      return (
        <ConfirmDialog
          title={hooks.removeTitle(subscription.url)}
          text={hooks.removeText}
          confirm={hooks.remove}
          isDangerous
          onClose={onClose}
          onConfirm={onRemove}
        />
      );
  }
}
