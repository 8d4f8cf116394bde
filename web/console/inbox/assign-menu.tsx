import type { InboxConversation } from '../api/console-types.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { useTeam } from './conversation-queries.ts';

interface AssignMenuProps {
  readonly conversation: InboxConversation;
  readonly onAssign: (memberId: string | null) => void;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

const UNASSIGNED = 'unassigned';

/** Chooses the member of the team who answers. */
export function AssignMenu({ conversation, onAssign, isOpen, onOpenChange }: AssignMenuProps) {
  const { thread } = useMessages();
  const { memberId } = usePlace().membership;
  const { data: team = [], isPending } = useTeam();
  const { assignedTo } = conversation;
  const assignee = team.find(({ id }) => id === assignedTo);
  const options = team
    .map(({ id, name }) => ({
      id,
      label: name,
      ...(id === memberId && { hint: thread.assignToMe }),
    }))
    .toSorted((one, other) => Number(other.id === memberId) - Number(one.id === memberId));
  return (
    <Menu
      label={thread.assign}
      placement="bottom end"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        // The name stays in a description: the button is always found as "Assign".
        <Button
          icon="user"
          aria-label={thread.assign}
          {...(assignee && { 'aria-description': thread.assignedTo(assignee.name) })}
        >
          {assignee?.name ?? (assignedTo !== null && isPending ? '…' : thread.assign)}
        </Button>
      }
    >
      <MenuChoice
        title={thread.assign}
        value={assignedTo ?? UNASSIGNED}
        options={[...options, { id: UNASSIGNED, label: thread.unassigned }]}
        onChoose={(id) => onAssign(id === UNASSIGNED ? null : id)}
      />
    </Menu>
  );
}
