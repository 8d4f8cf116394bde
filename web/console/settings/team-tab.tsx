import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { SkeletonRows, SkeletonText } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { useLinks } from './link-dialogs.tsx';
import { ownerMessages } from './owner-messages.ts';
import { useAssignment } from './use-assignment.tsx';
import {
  MEMBER_ROLES,
  useMemberLink,
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
  const createLink = useMemberLink();
  const { links: linkTexts, team: texts } = ownerMessages();
  const links = useLinks(createLink.mutateAsync, { ...linkTexts, isMailed: true });
  const assignment = useAssignment();
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
        <p className={styles.hint}>{texts.text}</p>
      </div>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {assignment.error && <ErrorState error={assignment.error} onRetry={assignment.retry} />}
      {members === undefined && error === null && <SkeletonRows />}
      {members && (
        <MemberTable
          members={members}
          onRole={({ id }, role) => attempt(() => changeRole(id, role))}
          onRemove={setLeaving}
          onLink={links.ask}
          assignment={assignment}
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
      {links.dialog}
      {assignment.dialog}
      {dialog}
    </>
  );
}

interface MemberActions {
  readonly onRole: (member: Member, role: MemberRole) => void;
  readonly onRemove: (member: Member) => void;
  readonly onLink: (member: Member) => void;
  readonly assignment: ReturnType<typeof useAssignment>;
}

interface MemberTableProps extends MemberActions {
  readonly members: readonly Member[];
}

function MemberTable({ members, ...actions }: MemberTableProps) {
  const { settings } = useMessages();
  const { team: texts } = ownerMessages();
  const { isKnown, error, assigneeOf } = actions.assignment;
  const assignee = (email: string) => (assigneeOf(email) ? texts.yes : texts.no);
  const unknown = error ? '–' : <SkeletonText />;
  const columns: readonly TableColumn<Member>[] = [
    { id: 'email', title: settings.email, cell: ({ email }) => email },
    { id: 'name', title: settings.name, cell: ({ name }) => name ?? '', isSecondary: true },
    { id: 'role', title: settings.role, cell: ({ role }) => settings.roles[role], width: '7rem' },
    {
      id: 'assignable',
      title: texts.assignable,
      cell: ({ email }) => (isKnown ? assignee(email) : unknown),
      isSecondary: true,
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      width: '6rem',
      cell: (member) => <MemberMenu member={member} {...actions} />,
    },
  ];
  return <Table label={settings.team} columns={columns} rows={members} empty={null} />;
}

interface MemberMenuProps extends MemberActions {
  readonly member: Member;
}

/** Owners have access to everything, and users cannot lock themselves out. */
function MemberMenu({ member, onRole, onRemove, onLink, assignment }: MemberMenuProps) {
  const { settings } = useMessages();
  const { links, roles } = ownerMessages();
  const { user } = usePlace().session;
  const label = settings.actions(member.email);
  const { role } = member;
  const canChange = role !== 'owner' && member.id !== user.id;
  const choices = assignment.choicesFor(member);
  if (!canChange && choices.length === 0) {
    return null;
  }
  return (
    <Menu
      label={label}
      placement="bottom end"
      trigger={<IconButton icon="more" label={label} isSmall />}
    >
      {choices.map(({ id, text, run }) => (
        <MenuItem key={id} icon="user" onAction={run}>
          {text}
        </MenuItem>
      ))}
      {canChange && (
        <>
          <MenuItem icon="key" onAction={() => onLink(member)}>
            {links.create}
          </MenuItem>
          <MenuSeparator />
          <MenuChoice
            title={settings.role}
            value={role}
            options={MEMBER_ROLES.map((id) => ({
              id,
              label: settings.roles[id],
              description: roles[id],
            }))}
            onChoose={(next) => onRole(member, next)}
          />
          <MenuSeparator />
          <MenuItem icon="close" isDangerous onAction={() => onRemove(member)}>
            {settings.remove}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
