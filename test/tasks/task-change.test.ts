import { describe, expect, test } from 'vitest';
import { changeOf, type ChangeableTask } from '../../src/tasks/task.store.ts';

const NOW = new Date('2026-12-01T09:00:00.250Z');
const EARLIER = 1_700_000_000_000;

const task = (over: Partial<ChangeableTask> = {}): ChangeableTask => ({
  title: 'Call',
  description: null,
  status: 'todo',
  priority: 'medium',
  dueDate: null,
  completedAt: null,
  assignedTo: null,
  contactId: null,
  dealId: null,
  ...over,
});
const completed = task({ status: 'completed', completedAt: EARLIER });

describe('the effect of a patch on a task', () => {
  test.for([
    ['completes an open task now', task(), 'completed', NOW.getTime(), true],
    [
      'completes a cancelled task now',
      task({ status: 'cancelled' }),
      'completed',
      NOW.getTime(),
      true,
    ],
    ['reopens a completed task', completed, 'todo', null, false],
    ['cancels a completed task', completed, 'cancelled', null, false],
    ['moves an open task to review', task(), 'in_review', null, false],
  ] as const)('a status %s', ([, before, status, completedAt, completes]) => {
    expect(changeOf(before, { status }, NOW)).toEqual({
      fields: { status },
      completedAt,
      completes,
    });
  });

  test('a change of another field keeps completedAt', () => {
    expect(changeOf(completed, { title: 'Other', status: 'completed' }, NOW)).toEqual({
      fields: { title: 'Other' },
      completedAt: EARLIER,
      completes: false,
    });
  });

  test('lists the changed fields, in the order of declaration', () => {
    const patch = { dealId: null, dueDate: 0, description: '', title: 'Call', contactId: 'c' };
    const change = changeOf(task(), patch, NOW);
    expect(Object.entries(change?.fields ?? {})).toEqual([
      ['description', ''],
      ['dueDate', 0],
      ['contactId', 'c'],
    ]);
  });

  test.for([{}, { status: 'todo' }, { description: null, dueDate: null }] as const)(
    'is nothing for %j',
    (patch) => {
      expect(changeOf(task(), patch, NOW)).toBeUndefined();
    },
  );
});
