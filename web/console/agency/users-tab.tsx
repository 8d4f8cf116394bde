import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { BROWSER_ZONE } from '../i18n/zone.ts';
import { useLinks } from '../settings/link-dialogs.tsx';
import { ownerMessages } from '../settings/owner-messages.ts';
import settingsStyles from '../settings/settings.module.css';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import {
  useSignOutUser,
  useUpdateUser,
  useUserLink,
  useUsers,
  type User,
} from './agency-queries.ts';
import { InviteOwnerDialog } from './invite-owner-dialog.tsx';

type UserAction = 'signOut' | 'disable' | 'enable' | 'makeOwner' | 'endOwner';

interface UserRequest {
  readonly action: UserAction;
  readonly user: User;
}

/** The users of the installation. */
export function UsersTab() {
  const { agency } = useMessages();
  const query = useUsers();
  const { data } = query;
  const [isInviting, setInviting] = useState(false);
  const [asked, setAsked] = useState<UserRequest>();
  const { attempt, dialog } = useAttempts();
  const apply = useUserAction();
  const createLink = useUserLink();
  const { text: longText, textShort } = ownerMessages().links;
  const [linked, setLinked] = useState<User>();
  const links = useLinks(createLink.mutateAsync, {
    text: linked?.lastSignInAt === null ? longText : textShort,
  });
  const askLink = (user: User) => {
    setLinked(user);
    links.ask(user);
  };
  return (
    <>
      <div className={settingsStyles.bar}>
        <Button look="primary" icon="plus" onPress={() => setInviting(true)}>
          {agency.inviteOwner}
        </Button>
        <p className={settingsStyles.hint}>{agency.usersText}</p>
      </div>
      <LoadState query={query} />
      {data && <UserTable rows={data} onAsk={setAsked} onLink={askLink} />}
      {isInviting && <InviteOwnerDialog onClose={() => setInviting(false)} />}
      {asked && (
        <ConfirmDialog
          title={`${agency[asked.action]}: ${asked.user.email}`}
          text={agency.actionTexts[asked.action]}
          confirm={agency[asked.action]}
          isDangerous={asked.action === 'disable' || asked.action === 'endOwner'}
          onClose={() => setAsked(undefined)}
          onConfirm={() => attempt(() => apply(asked))}
        />
      )}
      {links.dialog}
      {dialog}
    </>
  );
}

const CHANGES = {
  disable: { status: 'disabled' },
  enable: { status: 'active' },
  makeOwner: { isOwner: true },
  endOwner: { isOwner: false },
} as const;

function useUserAction() {
  const { agency } = useMessages();
  const update = useUpdateUser();
  const signOut = useSignOutUser();
  return async ({ action, user: { id, email } }: UserRequest) => {
    await (action === 'signOut'
      ? signOut.mutateAsync(id)
      : update.mutateAsync({ id, change: CHANGES[action] }));
    showToast({ text: agency.userChanged, detail: email });
  };
}

interface UserTableProps {
  readonly rows: readonly User[];
  readonly onAsk: (asked: UserRequest) => void;
  readonly onLink: (user: User) => void;
}

function UserTable({ rows, onAsk, onLink }: UserTableProps) {
  const { agency, settings } = useMessages();
  const format = useFormat(BROWSER_ZONE);
  const columns: readonly TableColumn<User>[] = [
    { id: 'email', title: settings.email, cell: ({ email }) => email },
    { id: 'name', title: settings.name, cell: ({ name }) => name ?? '', isSecondary: true },
    { id: 'access', title: agency.access, cell: (user) => <Access user={user} /> },
    {
      id: 'state',
      title: settings.state,
      width: '7rem',
      isSecondary: true,
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'good' : 'neutral'}>{agency.userStates[status]}</Badge>
      ),
    },
    {
      id: 'signedIn',
      title: agency.lastSignIn,
      width: '9rem',
      isSecondary: true,
      cell: ({ lastSignInAt }) => (lastSignInAt ? format.day(lastSignInAt) : settings.never),
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      width: '6rem',
      cell: (user) => <UserMenu user={user} onAsk={onAsk} onLink={onLink} />,
    },
  ];
  return <Table label={agency.users} columns={columns} rows={rows} empty={null} />;
}

/** An owner, or the roles with the names of the sub-accounts. */
function Access({ user: { isOwner, memberships } }: { readonly user: User }) {
  const { settings } = useMessages();
  const places = usePlace().session.memberships;
  const nameOf = (id: string) =>
    places.find(({ subAccountId }) => subAccountId === id)?.subAccountName ?? id;
  if (isOwner) {
    return <Badge tone="accent">{settings.roles.owner}</Badge>;
  }
  return memberships
    .map(({ subAccountId, role }) => `${settings.roles[role]} (${nameOf(subAccountId)})`)
    .join(', ');
}

interface UserMenuProps extends Pick<UserTableProps, 'onAsk' | 'onLink'> {
  readonly user: User;
}

function UserMenu({ user, onAsk, onLink }: UserMenuProps) {
  const { agency, settings } = useMessages();
  const { id } = usePlace().session.user;
  const label = settings.actions(user.email);
  const ask = (action: UserAction) => () => onAsk({ action, user });
  const ownership = user.isOwner ? 'endOwner' : 'makeOwner';
  const access = user.status === 'active' ? 'disable' : 'enable';
  return (
    <Menu
      label={label}
      placement="bottom end"
      trigger={<IconButton icon="more" label={label} isSmall />}
    >
      {user.status === 'active' && (
        <MenuItem icon="mail" onAction={() => onLink(user)}>
          {ownerMessages().links.create}
        </MenuItem>
      )}
      <MenuItem icon="logout" onAction={ask('signOut')}>
        {agency.signOut}
      </MenuItem>
      {/* Owners cannot lock themselves out. */}
      {user.id !== id && (
        <>
          <MenuItem icon="key" onAction={ask(ownership)}>
            {agency[ownership]}
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={access === 'disable' ? 'close' : 'check'}
            isDangerous={access === 'disable'}
            onAction={ask(access)}
          >
            {agency[access]}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
