import { LockMode } from '@mikro-orm/core';
import { notFound } from '#kit/fault.ts';
import type { Work } from '#kit/work.ts';
import { Task } from './task.entity.ts';

/** The live task, held against other writers until this work is done. */
export async function lockTask({ em, subAccountId }: Work, id: string): Promise<Task> {
  const task = await em.findOne(
    Task,
    { subAccountId, id, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!task) {
    throw notFound('task');
  }
  return task;
}
