import { useState } from 'react';
import type { Webhook } from '../../../sdk/src/generated/webhooks.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.tsx';
import { SecretDialog, SubscriptionDialog } from './subscription-dialog.tsx';
import { useSubscriptionActions } from './webhook-queries.ts';

type SubscriptionAction = 'edit' | 'rotate' | 'remove';

/** What can be done with a subscription. */
export function SubscriptionMenu({ subscription }: { readonly subscription: Webhook }) {
  const { hooks, settings } = useMessages();
  const { id, url, status } = subscription;
  const { test, setStatus, rotate, remove } = useSubscriptionActions(id);
  const { attempt, dialog } = useAttempts();
  const [asked, setAsked] = useState<SubscriptionAction>();
  const [secret, setSecret] = useState<string>();
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
          onSecret={setSecret}
          onRotate={() => attempt(async () => setSecret((await rotate.mutateAsync()).secret))}
          onRemove={() => attempt(() => done(remove.mutateAsync(), hooks.removed))}
        />
      )}
      {secret !== undefined && (
        <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      )}
      {dialog}
    </>
  );
}

interface ActionDialogProps {
  readonly action: SubscriptionAction;
  readonly subscription: Webhook;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
  readonly onRotate: () => void;
  readonly onRemove: () => void;
}

function ActionDialog({
  action,
  subscription,
  onClose,
  onSecret,
  onRotate,
  onRemove,
}: ActionDialogProps) {
  const { hooks } = useMessages();
  switch (action) {
    case 'edit':
      return (
        <SubscriptionDialog subscription={subscription} onClose={onClose} onSecret={onSecret} />
      );
    case 'rotate':
      return (
        <ConfirmDialog
          title={hooks.rotate}
          text={hooks.rotateText}
          confirm={hooks.rotate}
          onClose={onClose}
          onConfirm={onRotate}
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
