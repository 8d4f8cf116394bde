import type { Step, Trigger } from './workflow.schema.ts';

/** Steps whose event always happens. A tag that is already there, for one, causes no event. */
const EVENT_OF_STEP = {
  createTask: 'task.created',
  createOpportunity: 'opportunity.created',
} as const;

interface CheckedWorkflow {
  readonly slug: string;
  readonly reenter: boolean;
  readonly triggers: readonly Trigger[];
  readonly steps: readonly Step[];
}

/** Returns a warning for each step, outside branches, that starts its own workflow again each time. */
export function loopCautions({
  slug,
  reenter,
  triggers,
  steps,
}: CheckedWorkflow): readonly string[] {
  const always = new Set(
    triggers.filter(({ where = {} }) => Object.keys(where).length === 0).map(({ on }) => on),
  );
  return reenter
    ? steps.flatMap((step, index) =>
        Object.entries(EVENT_OF_STEP)
          .filter(([action, event]) => Object.hasOwn(step, action) && always.has(event))
          .map(
            ([action, event]) =>
              `${slug}: /steps/${index}/${action} causes ${event}, which starts the workflow again, until the limit of loops; narrow the trigger with where`,
          ),
      )
    : [];
}
