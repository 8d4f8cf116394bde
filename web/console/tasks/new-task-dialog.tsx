import { getLocalTimeZone, now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import type { TaskPriority } from '../../../sdk/src/generated/shared.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useCreateTask } from './task-queries.ts';

const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const satisfies readonly TaskPriority[];
const UNASSIGNED = 'unassigned';

/** Creates a task. */
export function NewTaskDialog({ onClose }: { readonly onClose: () => void }) {
  const { tasks, thread } = useMessages();
  const { memberId } = usePlace().membership;
  const { data: team = [] } = useTeam();
  const describe = useErrorText();
  const create = useCreateTask();
  const [title, setTitle] = useState('');
  const [priority, setPriority] = useState<TaskPriority>('medium');
  const [assignedTo, setAssignedTo] = useState<string>(memberId ?? UNASSIGNED);
  const [due, setDue] = useState<ZonedDateTime | null>(
    now(getLocalTimeZone()).add({ days: 1 }).set({ hour: 9, minute: 0, second: 0, millisecond: 0 }),
  );
  const submit = () =>
    create.mutate(
      {
        title: title.trim(),
        priority,
        ...(due && { dueDate: due.toDate().getTime() }),
        ...(assignedTo !== UNASSIGNED && { assignedTo }),
      },
      {
        onSuccess() {
          showToast({ text: tasks.created, detail: title });
          onClose();
        },
        onError(error) {
          const { title: text, detail } = describe(error);
          showToast({ text, detail, isError: true });
        },
      },
    );
  return (
    <FormDialog
      title={tasks.newTask}
      submit={tasks.newTask}
      isOpen
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label={tasks.name} autoFocus isRequired value={title} onChange={setTitle} />
      <DateTimeField label={tasks.dueDate} value={due} onChange={setDue} />
      <Select
        label={tasks.priority}
        value={priority}
        options={PRIORITIES.map((id) => ({ id, label: tasks.priorities[id] }))}
        onChange={setPriority}
      />
      <Select
        label={tasks.assignee}
        value={assignedTo}
        options={[
          ...team.map(({ id, name }) => ({ id, label: name })),
          { id: UNASSIGNED, label: thread.unassigned },
        ]}
        onChange={setAssignedTo}
      />
    </FormDialog>
  );
}
