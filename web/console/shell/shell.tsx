import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useConnection, useLiveChanges } from '../api/live.ts';
import { useCanWrite, useIsAdmin, useIsIntegrator, usePlace, useSignOut } from '../api/session.ts';
import { useUnreadCount } from '../inbox/conversation-queries.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Icon } from '../ui/icons.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { COMMAND_KEY, useCommandKey, useHotkeys } from '../ui/use-hotkeys.ts';
import { Button } from 'react-aria-components/Button';
import { cx } from '../ui/cx.ts';
import { AccountMenu } from './account-menu.tsx';
import type { Command } from './command-palette.tsx';
import { KeyHelp } from './key-help.tsx';
import { Navigation } from './navigation.tsx';
import { useAnnounce } from './notifications.ts';
import { PageErrors } from './page-errors.tsx';
import { PAGES } from './pages.ts';
import { SubAccountSwitch } from './sub-account-switch.tsx';
import { openSubAccount } from './sub-account-path.ts';
import { creatingAt } from './use-creating.ts';
import { useUnreadTitle } from './unread-title.ts';
import styles from './shell.module.css';
import { lazily } from '../ui/lazily.tsx';

/** It is loaded after the first screen, which does not need it. */
const loadPalette = async () => (await import('./command-palette.tsx')).CommandPalette;
void loadPalette().catch(() => undefined);
const CommandPalette = lazily(loadPalette);

const PasskeyOffer = lazily(async () => (await import('./passkey-offer.tsx')).PasskeyOffer);

type Open = 'palette' | 'keys' | null;

/** What surrounds every page: navigation, palette, keys, and the state of the connection. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { nav, palette } = useMessages();
  const [open, setOpen] = useState<Open>(null);
  const { isRecent } = usePlace().session;
  const unread = useUnreadCount();
  const [path] = useLocation();
  const page = PAGES.find(({ id }) => path.startsWith(`/${id}`))?.id ?? 'inbox';
  useUnreadTitle(nav[page], unread);
  useLiveChanges(useAnnounce());
  useCommandKey('k', () => setOpen(open === 'palette' ? null : 'palette'));
  useHotkeys({ '?': () => setOpen('keys') });
  const commands = useCommands(() => setOpen('keys'));
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {nav.skip}
      </a>
      <header className={styles.side}>
        <div className={styles.top}>
          <SubAccountSwitch />
          <Tooltip text={palette.title} shortcut={`${COMMAND_KEY} K`}>
            <Button
              className={cx(styles.find)}
              aria-label={palette.title}
              onPress={() => setOpen('palette')}
            >
              <Icon name="search" />
            </Button>
          </Tooltip>
        </div>
        <div className={styles.nav}>
          <Navigation unread={unread} />
        </div>
        <div className={styles.bottom}>
          <AccountMenu onKeys={() => setOpen('keys')} />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        <OfflineBanner />
        {isRecent && <PasskeyOffer />}
        <PageErrors path={path}>{children}</PageErrors>
      </main>
      {open === 'palette' && (
        <CommandPalette isOpen onClose={() => setOpen(null)} commands={commands} />
      )}
      <KeyHelp isOpen={open === 'keys'} onClose={() => setOpen(null)} />
    </div>
  );
}

/** Returns the actions of the palette that create records, for those who may. */
function useCreateCommands(): readonly Command[] {
  const { contacts, planner, opportunities, tasks } = useMessages();
  const [, navigate] = useLocation();
  const labels = {
    contacts: contacts.newContact,
    calendar: planner.newAppointment,
    opportunities: opportunities.newDeal,
    tasks: tasks.newTask,
  };
  const canWrite = useCanWrite();
  const isIntegrator = useIsIntegrator();
  return canWrite && !isIntegrator
    ? Object.entries(labels).map(([page, label]) => ({
        id: `new:${page}`,
        label,
        icon: 'plus',
        run: () => navigate(creatingAt(page)),
      }))
    : [];
}

/** Returns the action that leads to the import of contacts, for admins. */
function useImportCommand(): readonly Command[] {
  const { imports } = useMessages();
  const [, navigate] = useLocation();
  const run = () => navigate('/settings?tab=import');
  return useIsAdmin() ? [{ id: 'import', label: imports.run, icon: 'plus', run }] : [];
}

/** Returns the actions of the palette: new records, other sub-accounts, the keys, the way out. */
function useCommands(onKeys: () => void): readonly Command[] {
  const { keys, shell } = useMessages();
  const { session, membership } = usePlace();
  const signOut = useSignOut();
  const others = session.memberships
    .filter(({ subAccountId }) => subAccountId !== membership.subAccountId)
    .map(({ subAccountId, subAccountName }) => ({
      id: `sub-account:${subAccountId}`,
      label: `${shell.switchSubAccount}: ${subAccountName}`,
      icon: 'move' as const,
      run: () => openSubAccount(subAccountId),
    }));
  const creating = useCreateCommands();
  const importing = useImportCommand();
  return [
    ...creating,
    ...importing,
    { id: 'keys', label: keys.title, icon: 'keyboard', shortcut: '?', run: onKeys },
    ...others,
    { id: 'sign-out', label: shell.signOut, icon: 'logout', run: () => signOut.mutate() },
  ];
}

/** Says that the server cannot be reached. What was loaded stays on the page. */
function OfflineBanner() {
  const { shell } = useMessages();
  return (
    <div role="status" className={styles.status}>
      {useConnection() === 'lost' && (
        <p className={styles.offline}>
          <Icon name="offline" /> {shell.offline}
        </p>
      )}
    </div>
  );
}
