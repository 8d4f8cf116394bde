import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import {
  MEMBER_ROLES,
  useMembers,
  useRemoveMember,
  useSetRole,
  type Member,
  type MemberRole,
} from './settings-queries.ts';
import styles from './settings.module.css';

/** The people who may work in the sub-account. */
export function TeamTab() {
  const { settings } = useMessages();
  const { data: members, error, refetch } = useMembers();
  const [isInviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<Member>();
  const setRole = useSetRole();
  const remove = useRemoveMember();
  const { attempt, dialog } = useAttempts();
  const changeRole = async (id: string, role: MemberRole) => {
    await setRole.mutateAsync({ id, role });
    showToast({ text: settings.roleChanged });
  };
  const removeMember = async ({ id, email }: Member) => {
    await remove.mutateAsync(id);
    showToast({ text: settings.removed, detail: email });
  };
  return (
    <>
      <div className={styles.bar}>
        <Button look="primary" icon="plus" onPress={() => setInviting(true)}>
          {settings.invite}
        </Button>
      </div>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {members === undefined && error === null && <SkeletonRows />}
      {members && (
        <MemberTable
          members={members}
          onRole={({ id }, role) => attempt(() => changeRole(id, role))}
          onRemove={setLeaving}
        />
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {leaving && (
        <ConfirmDialog
          title={settings.removeTitle(leaving.name ?? leaving.email)}
          text={settings.removeText}
          confirm={settings.remove}
          isDangerous
          onClose={() => setLeaving(undefined)}
          onConfirm={() => attempt(() => removeMember(leaving))}
        />
      )}
      {dialog}
    </>
  );
}

interface MemberTableProps {
  readonly members: readonly Member[];
  readonly onRole: (member: Member, role: MemberRole) => void;
  readonly onRemove: (member: Member) => void;
}

function MemberTable({ members, onRole, onRemove }: MemberTableProps) {
  const { settings } = useMessages();
  const { user } = usePlace().session;
  const columns: readonly TableColumn<Member>[] = [
    { id: 'email', title: settings.email, cell: ({ email }) => email },
    { id: 'name', title: settings.name, cell: ({ name }) => name ?? '', isSecondary: true },
    { id: 'role', title: settings.role, cell: ({ role }) => settings.roles[role], width: '6rem' },
    {
      id: 'actions',
      title: settings.actionsTitle,
      width: '6rem',
      cell: (member) =>
        // Owners have access to everything, and users cannot lock themselves out.
        member.role !== 'owner' &&
        member.id !== user.id && (
          <Menu
            label={settings.actions(member.email)}
            placement="bottom end"
            trigger={<IconButton icon="more" label={settings.actions(member.email)} isSmall />}
          >
            <MenuChoice
              title={settings.role}
              value={member.role}
              options={MEMBER_ROLES.map((id) => ({ id, label: settings.roles[id] }))}
              onChoose={(role) => onRole(member, role)}
            />
            <MenuSeparator />
            <MenuItem icon="close" isDangerous onAction={() => onRemove(member)}>
              {settings.remove}
            </MenuItem>
          </Menu>
        ),
    },
  ];
  return <Table label={settings.team} columns={columns} rows={members} empty={null} />;
}
