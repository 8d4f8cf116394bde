import { useMessages } from '../i18n/messages.tsx';
import { Select } from '../ui/select.tsx';
import { useTeam } from './conversation-queries.ts';

const UNASSIGNED = 'unassigned';

interface AssigneeFieldProps {
  /** "Assigned to" by default. */
  readonly label?: string;
  /** The id of a member of the team. */
  readonly value: string | null;
  readonly isDisabled?: boolean;
  readonly onChange: (memberId: string | null) => void;
}

/** A field that assigns a record to a member of the team, or leaves it unassigned. */
export function AssigneeField({ label, value, isDisabled = false, onChange }: AssigneeFieldProps) {
  const { tasks, thread } = useMessages();
  const { data: team = [], isPending } = useTeam();
  return (
    <Select
      label={label ?? tasks.assignee}
      value={value ?? UNASSIGNED}
      isDisabled={isDisabled}
      {...(isPending && { placeholder: '…' })}
      options={[
        ...team.map(({ id, name }) => ({ id, label: name })),
        { id: UNASSIGNED, label: thread.unassigned },
      ]}
      onChange={(id) => onChange(id === UNASSIGNED ? null : id)}
    />
  );
}
