import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { TasksCreateBody } from '../../../sdk/src/generated/tasks.ts';
import { clientOf } from '../api/client.ts';
import { usePlace } from '../api/session.ts';

export const TASK_VIEWS = ['mine', 'overdue', 'open', 'completed'] as const;
export type TaskView = (typeof TASK_VIEWS)[number];

const PAGE_SIZE = 100;

/** Returns the tasks of a view, page by page. */
export function useTasks(view: TaskView) {
  const { subAccountId, memberId } = usePlace().membership;
  const query = {
    status: view === 'completed' ? ('completed' as const) : ('todo' as const),
    ...(view === 'mine' && memberId !== null && { assignedTo: memberId }),
  };
  return useInfiniteQuery({
    queryKey: [subAccountId, 'tasks', view],
    queryFn: ({ pageParam, signal }) =>
      clientOf(subAccountId).tasks.list(
        {
          ...query,
          ...(view === 'overdue' && { dueBefore: Date.now() }),
          limit: PAGE_SIZE,
          cursor: pageParam,
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => (meta.hasMore ? (meta.cursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
  });
}

export function useCreateTask() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: TasksCreateBody) => clientOf(subAccountId).tasks.create(body),
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
