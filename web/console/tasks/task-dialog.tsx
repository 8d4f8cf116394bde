import { fromAbsolute, now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { Link } from 'wouter';
import type { TaskPriority } from '../../../sdk/src/generated/shared.ts';
import type { Task } from '../../../sdk/src/generated/tasks.ts';
import { useCanWrite, usePlace } from '../api/session.ts';
import { ContactField } from '../contacts/contact-field.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { AssigneeField } from '../inbox/assignee-field.tsx';
import { useDeleteRecord } from '../shell/use-delete-record.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { showToast } from '../ui/toast.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { useSaveTask } from './task-queries.ts';

const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const satisfies readonly TaskPriority[];
const MORNING = { hour: 9, minute: 0, second: 0, millisecond: 0 };

interface TaskDialogProps {
  /** The task to change; undefined for a new one. */
  readonly task?: Task | undefined;
  /** The contact of a new task, to begin with. */
  readonly contactId?: string;
  readonly onClose: () => void;
}

/** Creates a task, or changes one. */
export function TaskDialog({ task, contactId: forContact, onClose }: TaskDialogProps) {
  const { tasks, contacts, common } = useMessages();
  const canWrite = useCanWrite();
  const { values, set, submit, isPending } = useTaskForm({ task, contactId: forContact, onClose });
  const { title, description, contactId, priority, assignedTo, due } = values;
  const deletionOf = useDeleteRecord('tasks', onClose);
  return (
    <FormDialog
      title={task ? tasks.edit : tasks.newTask}
      submit={common.save}
      isOpen
      isPending={isPending}
      isDisabled={!canWrite}
      onClose={onClose}
      onSubmit={submit}
      deletion={task && deletionOf({ id: task.id, name: task.title })}
    >
      <TextField
        label={tasks.name}
        autoFocus
        isRequired
        value={title}
        onChange={(text) => set({ title: text })}
      />
      <ContactField
        label={tasks.contact}
        isOptional
        value={contactId}
        onChange={(id) => set({ contactId: id })}
      />
      {task?.contactId && <Link href={`/contacts/${task.contactId}`}>{contacts.details}</Link>}
      <DateTimeField label={tasks.dueDate} value={due} onChange={(at) => set({ due: at })} />
      <Select
        label={tasks.priority}
        value={priority}
        options={PRIORITIES.map((id) => ({ id, label: tasks.priorities[id] }))}
        onChange={(one) => set({ priority: one })}
      />
      <AssigneeField value={assignedTo} onChange={(id) => set({ assignedTo: id })} />
      <TextField
        label={tasks.note}
        rows={3}
        value={description}
        onChange={(text) => set({ description: text })}
      />
    </FormDialog>
  );
}

interface TaskValues {
  readonly title: string;
  readonly description: string;
  readonly contactId: string | null;
  readonly priority: TaskPriority;
  readonly assignedTo: string | null;
  readonly due: ZonedDateTime | null;
}

const valuesOf = (task: Task, zone: string): TaskValues => ({
  title: task.title,
  description: task.description ?? '',
  contactId: task.contactId,
  priority: task.priority,
  assignedTo: task.assignedTo,
  due: task.dueDate === null ? null : fromAbsolute(task.dueDate, zone),
});

const newValues = (
  memberId: string | null,
  contactId: string | null,
  zone: string,
): TaskValues => ({
  title: '',
  description: '',
  contactId,
  priority: 'medium',
  assignedTo: memberId,
  due: now(zone).add({ days: 1 }).set(MORNING),
});

interface TaskFormOptions {
  readonly task: Task | undefined;
  readonly contactId: string | null | undefined;
  readonly onClose: () => void;
}

/** The values of the form, and what saves them. */
function useTaskForm({ task, contactId: forContact = null, onClose }: TaskFormOptions) {
  const { tasks, common } = useMessages();
  const { memberId, timezone } = usePlace().membership;
  const onError = useShowError();
  const save = useSaveTask(task?.id);
  const [values, setValues] = useState(() =>
    task ? valuesOf(task, timezone) : newValues(memberId, forContact, timezone),
  );
  const submit = () => {
    const { title, description, contactId, priority, assignedTo, due } = values;
    const body = {
      title: title.trim(),
      description: description.trim() || null,
      contactId,
      priority,
      assignedTo,
      dueDate: due?.toDate().getTime() ?? null,
    };
    save.mutate(body, {
      onSuccess() {
        showToast({ text: task ? common.saved : tasks.created, detail: title });
        onClose();
      },
      onError,
    });
  };
  return {
    values,
    set: (part: Partial<TaskValues>) => setValues({ ...values, ...part }),
    submit,
    isPending: save.isPending,
  };
}
