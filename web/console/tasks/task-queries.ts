import { today } from '@internationalized/date';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Task, TasksCreateBody } from '../../../sdk/src/generated/tasks.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';
import { endOf } from '../calendar/day-grid.ts';

export const TASK_VIEWS = ['mine', 'today', 'overdue', 'open', 'in_review', 'completed'] as const;
export type TaskView = (typeof TASK_VIEWS)[number];

const PAGE_SIZE = 100;

/** A task of a list, which names its contact. */
export type ListedTask = Task & { readonly contactName: string | null };

/** Returns the tasks of a view, page by page; the console's endpoint adds the names of the contacts. */
export function useTasks(view: TaskView) {
  const { subAccountId, memberId, timezone } = usePlace().membership;
  const query = {
    status: view === 'completed' || view === 'in_review' ? view : ('todo' as const),
    ...(view === 'mine' && memberId !== null && { assignedTo: memberId }),
  };
  return useInfiniteQuery({
    queryKey: [subAccountId, 'tasks', view],
    async queryFn({ pageParam, signal }) {
      const page = await clientOf(subAccountId).tasks.list(
        {
          ...query,
          ...(view === 'overdue' && { dueBefore: Date.now() }),
          // What was due before stays for today until it is done.
          ...(view === 'today' && { dueBefore: endOf(today(timezone), timezone) }),
          limit: PAGE_SIZE,
          cursor: pageParam,
        },
        { signal },
      );
      return { ...page, data: page.data as ListedTask[] };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
  });
}

/** Returns one task; none is loaded for null. */
export function useTask(id: string | null) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'tasks', 'one', id],
    queryFn: ({ signal }) => clientOf(subAccountId).tasks.get(id ?? '', { signal }),
    enabled: id !== null,
  });
}

/** Changes a task, or creates one where no id is given. */
export function useSaveTask(id: string | undefined) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const { tasks } = clientOf(subAccountId);
  return useMutation({
    mutationFn: (body: TasksCreateBody) =>
      id === undefined ? tasks.create(body) : tasks.update(id, body),
    onSuccess: () => queries.invalidateQueries({ queryKey: [subAccountId, 'tasks'] }),
  });
}

export function useSetTaskDone() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isDone }: { readonly id: string; readonly isDone: boolean }) =>
      isDone
        ? clientOf(subAccountId).tasks.complete(id)
        : clientOf(subAccountId).tasks.update(id, { status: 'todo' }),
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'tasks'] }),
  });
}

/** Sets the due date of a task, or removes it. */
export function useSetDueDate() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, dueDate }: { readonly id: string; readonly dueDate: number | null }) =>
      clientOf(subAccountId).tasks.update(id, { dueDate }),
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'tasks'] }),
  });
}
