import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Task } from '../../../sdk/src/generated/tasks.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState, useErrorText } from '../ui/states.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { cx } from '../ui/cx.ts';
import { showToast } from '../ui/toast.tsx';
import { NewTaskDialog } from './new-task-dialog.tsx';
import { TASK_VIEWS, useSetTaskDone, useTasks, type TaskView } from './task-queries.ts';
import styles from './tasks.module.css';

/** Tasks: open, mine, overdue and completed ones. */
export function TasksPage() {
  const { tasks, common } = useMessages();
  const [params, setParams] = useSearchParams();
  const view = TASK_VIEWS.find((one) => one === params.get('view')) ?? 'open';
  const [isCreating, setCreating] = useState(false);
  const query = useTasks(view);
  const rows = (query.data?.pages.flatMap(({ data }) => data) ?? []).toSorted(byDueDate);
  return (
    <Page
      title={tasks.title}
      actions={
        <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
          {tasks.newTask}
        </Button>
      }
      filters={
        <ViewSelect view={view} onChange={(next) => setParams({ view: next }, { replace: true })} />
      }
    >
      {query.isPending && <SkeletonRows />}
      {query.isError && rows.length === 0 && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      <TaskList rows={rows} />
      {query.isSuccess && rows.length === 0 && (
        <EmptyState icon="tasks" title={tasks.empty}>
          {tasks.emptyText}
        </EmptyState>
      )}
      {query.hasNextPage && (
        <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          {common.loadMore}
        </Button>
      )}
      {isCreating && <NewTaskDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** What is due first comes first; tasks without a date come last. */
const byDueDate = (one: Task, other: Task): number =>
  (one.dueDate ?? Infinity) === (other.dueDate ?? Infinity)
    ? 0
    : (one.dueDate ?? Infinity) - (other.dueDate ?? Infinity);

interface ViewSelectProps {
  readonly view: TaskView;
  readonly onChange: (view: TaskView) => void;
}

function ViewSelect({ view, onChange }: ViewSelectProps) {
  const { tasks, inbox } = useMessages();
  const { memberId } = usePlace().membership;
  const names = {
    open: tasks.viewOpen,
    mine: tasks.viewMine,
    overdue: tasks.viewOverdue,
    completed: tasks.viewDone,
  };
  const views = TASK_VIEWS.filter((one) => one !== 'mine' || memberId !== null);
  return (
    <Select
      label={inbox.views}
      isLabelHidden
      value={view}
      options={views.map((id) => ({ id, label: names[id] }))}
      onChange={onChange}
    />
  );
}

function TaskList({ rows }: { readonly rows: readonly Task[] }) {
  const { tasks } = useMessages();
  const { data: team = [] } = useTeam();
  return (
    <ul role="list" aria-label={tasks.title}>
      {rows.map((task) => (
        <TaskRow
          key={task.id}
          task={task}
          assignee={team.find(({ id }) => id === task.assignedTo)?.name}
        />
      ))}
    </ul>
  );
}

interface TaskRowProps {
  readonly task: Task;
  readonly assignee: string | undefined;
}

function TaskRow({ task, assignee }: TaskRowProps) {
  const { tasks, common } = useMessages();
  const format = useFormat();
  const describe = useErrorText();
  const setDone = useSetTaskDone();
  const { id, title, dueDate, priority, status } = task;
  const isDone = status === 'completed';
  const isOverdue = !isDone && dueDate !== null && dueDate < Date.now();
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
      <Checkbox aria-label={tasks.complete(title)} isSelected={isDone} onChange={apply} />
      <span className={cx(styles.title, isDone && styles.done)} title={title}>
        {title}
      </span>
      {(priority === 'high' || priority === 'urgent') && (
        <Badge tone={priority === 'urgent' ? 'bad' : 'warn'}>{tasks.priorities[priority]}</Badge>
      )}
      {assignee !== undefined && <span className={styles.assignee}>{assignee}</span>}
      {dueDate !== null && (
        <time
          className={cx(styles.due, isOverdue && styles.overdue)}
          dateTime={new Date(dueDate).toISOString()}
        >
          {format.day(dueDate)}
        </time>
      )}
    </li>
  );
}
