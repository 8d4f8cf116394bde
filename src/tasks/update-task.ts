import type { Work } from '#core/work.ts';
import { aboutContact } from '../contacts/contact.store.ts';
import { completionOf, factsOf, taskCompleted, taskUpdated } from './task.events.ts';
import { applyChange, changeOf, lockLinks, requireLinks, lockTask } from './task.store.ts';
import type { TaskPatch } from './task.schema.ts';

/**
 * Changes the given fields only. If nothing differs, nothing is written or emitted. `completedAt`
 * follows the status. Completing emits `task.completed` in addition to `task.updated`.
 */
export async function updateTask(work: Work, id: string, patch: TaskPatch): Promise<void> {
  const links = await lockLinks(work, patch);
  const task = await lockTask(work, id);
  const change = changeOf(task, patch, work.now);
  if (!change) {
    return;
  }
  requireLinks(links, change.fields);
  applyChange(work, task, change);
  const about = await aboutContact(work, task.contactId ?? null);
  const changedFields = Object.keys(change.fields);
  await work.emit(taskUpdated, { ...about, data: { ...factsOf(task), changedFields } });
  if (change.completes) {
    await work.emit(taskCompleted, { ...about, data: completionOf(task, work.now) });
  }
}
