import { useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Link, useSearchParams } from 'wouter';
import { useCanWrite, usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Page } from '../shell/page.tsx';
import { useCreating } from '../shell/use-creating.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState, useErrorText } from '../ui/states.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { cx } from '../ui/cx.ts';
import { showToast } from '../ui/toast.tsx';
import { useHotkeys } from '../ui/use-hotkeys.ts';
import { DueMenu } from './due-menu.tsx';
import {
  TASK_VIEWS,
  useSetTaskDone,
  useTask,
  useTasks,
  type ListedTask,
  type TaskView,
} from './task-queries.ts';
import styles from './tasks.module.css';
import { lazily } from '../ui/lazily.tsx';

const TaskDialog = lazily(async () => (await import('./task-dialog.tsx')).TaskDialog);

/** Tasks by view: mine, overdue, all open ones, those in review, and completed ones. */
export function TasksPage() {
  const { tasks, taskList, inbox } = useMessages();
  const { memberId, role } = usePlace().membership;
  const [params, setParams] = useSearchParams();
  const views = TASK_VIEWS.filter((one) => one !== 'mine' || memberId !== null);
  const view = views.find((one) => one === params.get('view')) ?? 'open';
  const creating = useCreating();
  const { data: opened } = useTask(params.get('task'));
  const open = (id: string | null) =>
    setParams({ view, ...(id !== null && { task: id }) }, { replace: true });
  const names = {
    open: taskList.all,
    mine: tasks.viewMine,
    today: tasks.viewToday,
    overdue: tasks.viewOverdue,
    in_review: tasks.statuses.in_review,
    completed: tasks.viewDone,
  };
  return (
    <Page
      title={tasks.title}
      actions={
        role !== 'viewer' && (
          <Button look="primary" icon="plus" onPress={creating.begin}>
            {tasks.newTask}
          </Button>
        )
      }
    >
      <Tabs
        label={inbox.views}
        items={views.map((id) => ({
          id,
          label: names[id],
          content: <TasksOf view={id} onOpen={open} />,
        }))}
        selected={view}
        onSelect={(next) => setParams({ view: next }, { replace: true })}
      />
      {creating.isCreating && <TaskDialog onClose={creating.end} />}
      {opened && <TaskDialog key={opened.id} task={opened} onClose={() => open(null)} />}
    </Page>
  );
}

/** Views in which a new task appears. */
const FOR_NEW_TASKS = new Set<TaskView>(['mine', 'today', 'open']);

interface TasksOfProps {
  readonly view: TaskView;
  readonly onOpen: (id: string) => void;
}

function TasksOf({ view, onOpen }: TasksOfProps) {
  const { tasks } = useMessages();
  const query = useTasks(view);
  const rows = (query.data?.pages.flatMap(({ data }) => data) ?? []).toSorted(byDueDate);
  return (
    <>
      {view === 'in_review' && <p className={styles.note}>{tasks.reviewHint}</p>}
      {query.data === undefined && (
        <NotLoaded error={query.error} onRetry={() => void query.refetch()} />
      )}
      <TaskList rows={rows} onOpen={onOpen} />
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon="tasks" title={tasks.empty}>
          {FOR_NEW_TASKS.has(view) && tasks.emptyText}
        </EmptyState>
      )}
      <LoadMore query={query} />
    </>
  );
}

/** What is due first comes first; tasks without a date come last. */
const byDueDate = (one: ListedTask, other: ListedTask): number =>
  (one.dueDate ?? Infinity) === (other.dueDate ?? Infinity)
    ? 0
    : (one.dueDate ?? Infinity) - (other.dueDate ?? Infinity);

/** The tasks in order. J and K move between them, E completes one, D opens its due date. */
function TaskList({
  rows,
  onOpen,
}: {
  readonly rows: readonly ListedTask[];
  readonly onOpen: (id: string) => void;
}) {
  const { tasks } = useMessages();
  const { data: team = [] } = useTeam();
  const list = useRef<HTMLUListElement>(null);
  const [openId, setOpenId] = useState<string>();
  const boxes = () => [...(list.current?.querySelectorAll('input[type=checkbox]') ?? [])];
  const current = () =>
    [...(list.current?.children ?? [])].findIndex((row) => row.contains(document.activeElement));
  const move = (step: number) => {
    const index = Math.max(0, Math.min(current() + step, rows.length - 1));
    (boxes()[index] as HTMLInputElement | undefined)?.focus();
  };
  useHotkeys({
    j: () => move(1),
    k: () => move(-1),
    e: () => (boxes()[current()] as HTMLInputElement | undefined)?.click(),
    d: () => setOpenId(rows[current()]?.id),
  });
  return (
    <ul role="list" aria-label={tasks.title} ref={list}>
      {rows.map((task) => (
        <TaskRow
          key={task.id}
          task={task}
          assignee={team.find(({ id }) => id === task.assignedTo)?.name}
          isDueOpen={openId === task.id}
          onOpen={() => onOpen(task.id)}
          onDueOpen={(isOpen) => setOpenId(isOpen ? task.id : undefined)}
        />
      ))}
    </ul>
  );
}

interface TaskRowProps {
  readonly task: ListedTask;
  readonly assignee: string | undefined;
  readonly isDueOpen: boolean;
  readonly onOpen: () => void;
  readonly onDueOpen: (isOpen: boolean) => void;
}

function TaskRow({ task, assignee, isDueOpen, onOpen, onDueOpen }: TaskRowProps) {
  const { tasks, common } = useMessages();
  const describe = useErrorText();
  const canWrite = useCanWrite();
  const setDone = useSetTaskDone();
  const { id, title, priority, status, contactId, contactName } = task;
  const isDone = status === 'completed';
  const apply = (done: boolean) =>
    setDone.mutate(
      { id, isDone: done },
      {
        onSuccess: () =>
          done &&
          showToast({
            text: tasks.completed,
            detail: title,
            action: { label: common.undo, onPress: () => apply(false) },
          }),
        onError(error) {
          const { title: text, detail } = describe(error);
          showToast({ text, detail, isError: true });
        },
      },
    );
  return (
    <li className={styles.row}>
      <Checkbox
        aria-label={tasks.complete(title)}
        isSelected={isDone}
        isReadOnly={!canWrite}
        onChange={apply}
      />
      <AriaButton className={cx(styles.title, isDone && styles.done)} onPress={onOpen}>
        {title}
      </AriaButton>
      {(priority === 'high' || priority === 'urgent') && (
        <Badge tone={priority === 'urgent' ? 'bad' : 'warn'}>{tasks.priorities[priority]}</Badge>
      )}
      {contactId !== null && (
        <Link href={`/contacts/${contactId}`} className={styles.contact}>
          {contactName || common.unnamed}
        </Link>
      )}
      <span className={styles.assignee}>{assignee}</span>
      <DueMenu task={task} isOpen={isDueOpen} onOpenChange={onDueOpen} />
    </li>
  );
}
