import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useLocation } from 'wouter';
import { useSignOut, usePlace } from '../api/session.ts';
import { chooseLocale, currentLocale, LOCALE_NAMES, LOCALES } from '../i18n/locale.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { cx } from '../ui/cx.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { useNotifications } from './notifications.ts';
import { THEMES, useTheme } from './theme.ts';
import styles from './shell.module.css';
import { lazily } from '../ui/lazily.tsx';

const PasskeysDialog = lazily(
  async () => (await import('../sign-in/passkeys-dialog.tsx')).PasskeysDialog,
);

const AddPasskey = lazily(async () => (await import('../sign-in/add-passkey.tsx')).AddPasskey);

const PictureDialog = lazily(async () => (await import('./picture-dialog.tsx')).PictureDialog);

interface AccountMenuProps {
  /** Shows the keys of the keyboard. */
  readonly onKeys: () => void;
}

/** The user's own settings, and the way out. */
export function AccountMenu({ onKeys }: AccountMenuProps) {
  const [open, setOpen] = useState<'passkeys' | 'picture' | null>(null);
  // Each choice of the menu item is a new attempt.
  const [additions, setAdditions] = useState(0);
  const close = () => setOpen(null);
  return (
    <>
      <UserMenu onKeys={onKeys} onOpen={setOpen} onAddPasskey={() => setAdditions(additions + 1)} />
      {additions > 0 && <AddPasskey key={additions} />}
      {open === 'passkeys' && <PasskeysDialog onClose={close} />}
      {open === 'picture' && <PictureDialog onClose={close} />}
    </>
  );
}

interface UserMenuProps extends AccountMenuProps {
  /** Opens a dialog. */
  readonly onOpen: (dialog: 'passkeys' | 'picture') => void;
  readonly onAddPasskey: () => void;
}

function UserMenu({ onKeys, onOpen, onAddPasskey }: UserMenuProps) {
  const { shell, keys, settings } = useMessages();
  const { user, isOwner } = usePlace().session;
  const [theme, setTheme] = useTheme();
  const notifications = useNotifications();
  const signOut = useSignOut();
  const name = user.name ?? user.email;
  const themeNames = { system: shell.themeSystem, light: shell.themeLight, dark: shell.themeDark };
  return (
    <Menu
      label={shell.account}
      placement="top start"
      trigger={
        <Button className={cx(styles.account)}>
          <Avatar name={name} picture={user.pictureUrl} isSmall />
          <span className={styles.hidden}>{shell.account}: </span>
          <span className={styles.switchName}>{name}</span>
        </Button>
      }
    >
      <MenuItem icon="user" onAction={() => onOpen('picture')}>
        {shell.picture}
      </MenuItem>
      <MenuItem icon="plus" onAction={onAddPasskey}>
        {shell.addPasskey}
      </MenuItem>
      <MenuItem icon="key" onAction={() => onOpen('passkeys')}>
        {settings.passkeys}
      </MenuItem>
      <MenuItem icon="notify" onAction={() => void notifications.toggle()}>
        {notifications.isOn ? shell.notificationsOff : shell.notificationsOn}
      </MenuItem>
      {isOwner && <OwnerItems />}
      <MenuItem icon="keyboard" shortcut="?" onAction={onKeys}>
        {keys.title}
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        title={shell.theme}
        value={theme}
        options={THEMES.map((id) => ({ id, label: themeNames[id] }))}
        onChoose={setTheme}
      />
      <MenuChoice
        title={shell.language}
        value={currentLocale()}
        options={LOCALES.map((id) => ({ id, label: LOCALE_NAMES[id] }))}
        onChoose={chooseLocale}
      />
      <MenuSeparator />
      <MenuItem icon="logout" onAction={() => signOut.mutate()}>
        {shell.signOut}
      </MenuItem>
    </Menu>
  );
}

/** The pages about the installation. */
function OwnerItems() {
  const { agency, health } = useMessages();
  const [, navigate] = useLocation();
  return (
    <>
      <MenuItem icon="contacts" onAction={() => navigate('/agency')}>
        {agency.title}
      </MenuItem>
      <MenuItem icon="info" onAction={() => navigate('/health')}>
        {health.title}
      </MenuItem>
    </>
  );
}
