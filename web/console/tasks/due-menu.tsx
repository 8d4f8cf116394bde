import { fromAbsolute, now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { Task } from '../../../sdk/src/generated/tasks.ts';
import { useCanWrite } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useZone } from '../i18n/zone.ts';
import { cx } from '../ui/cx.ts';
import { DateTimeField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useSetDueDate } from './task-queries.ts';
import styles from './tasks.module.css';

/** The hours at which a day's work begins and ends. */
const MORNING = 9;
const EVENING = 17;

const at = (day: ZonedDateTime, hour: number): ZonedDateTime =>
  day.set({ hour, minute: 0, second: 0, millisecond: 0 });

/** Returns the end of the working day, or of the day if that has passed. */
function todayAt(today: ZonedDateTime): ZonedDateTime {
  const evening = at(today, EVENING);
  return evening.compare(today) > 0 ? evening : today.set({ hour: 23, minute: 59, second: 0 });
}

interface DueMenuProps {
  readonly task: Task;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** The due date of a task: a button that opens the choices. */
export function DueMenu({ task, isOpen, onOpenChange }: DueMenuProps) {
  const { taskList } = useMessages();
  const format = useFormat();
  const [isTyping, setTyping] = useState(false);
  const save = useSaveDueDate(task);
  const today = now(useZone());
  const { title, dueDate, status } = task;
  const isOverdue = status !== 'completed' && dueDate !== null && dueDate < Date.now();
  const text = dueDate === null ? taskList.noDate : format.dayAndTime(dueDate);
  if (!useCanWrite()) {
    return <span className={cx(styles.due, isOverdue && styles.overdue)}>{text}</span>;
  }
  return (
    <>
      <Menu
        label={taskList.dueOf(title)}
        placement="bottom end"
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        trigger={
          <AriaButton
            aria-label={`${taskList.dueOf(title)}: ${text}`}
            className={cx(styles.due, isOverdue && styles.overdue)}
          >
            {text}
          </AriaButton>
        }
      >
        <MenuItem onAction={() => save(todayAt(today))}>{taskList.today}</MenuItem>
        <MenuItem onAction={() => save(at(today.add({ days: 1 }), MORNING))}>
          {taskList.tomorrow}
        </MenuItem>
        <MenuItem onAction={() => save(at(today.add({ days: 7 }), MORNING))}>
          {taskList.inAWeek}
        </MenuItem>
        <MenuItem onAction={() => setTyping(true)}>{`${taskList.choose}…`}</MenuItem>
        <MenuSeparator />
        <MenuItem onAction={() => save(null)}>{taskList.noDate}</MenuItem>
      </Menu>
      {isTyping && <DueDialog task={task} onClose={() => setTyping(false)} onSave={save} />}
    </>
  );
}

/** Returns what sets the due date, and says so; it can be undone. */
function useSaveDueDate({ id, dueDate: before }: Task) {
  const { taskList, common } = useMessages();
  const format = useFormat();
  const describe = useErrorText();
  const { mutate } = useSetDueDate();
  const set = (dueDate: number | null, undo?: () => void) =>
    mutate(
      { id, dueDate },
      {
        onSuccess: () =>
          showToast({
            text: dueDate === null ? taskList.removed : taskList.saved(format.dayAndTime(dueDate)),
            ...(undo && { action: { label: common.undo, onPress: undo } }),
          }),
        onError(error) {
          const { title, detail } = describe(error);
          showToast({ text: title, detail, isError: true });
        },
      },
    );
  return (due: ZonedDateTime | null) => set(due?.toDate().getTime() ?? null, () => set(before));
}

interface DueDialogProps {
  readonly task: Task;
  readonly onClose: () => void;
  readonly onSave: (due: ZonedDateTime | null) => void;
}

function DueDialog({ task: { title, dueDate }, onClose, onSave }: DueDialogProps) {
  const { tasks, taskList, common } = useMessages();
  const zone = useZone();
  const [due, setDue] = useState<ZonedDateTime | null>(
    dueDate === null ? at(now(zone).add({ days: 1 }), MORNING) : fromAbsolute(dueDate, zone),
  );
  return (
    <FormDialog
      title={taskList.dueOf(title)}
      submit={common.save}
      isOpen
      isPending={false}
      onClose={onClose}
      onSubmit={() => {
        onSave(due);
        onClose();
      }}
    >
      <DateTimeField label={tasks.dueDate} value={due} onChange={setDue} autoFocus />
    </FormDialog>
  );
}
