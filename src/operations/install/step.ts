/** One thing that installing puts in place, or removing takes away. */
export interface Step {
  /** For whoever reads along: `folder /etc/frontdesk`. */
  readonly what: string;
  isDone(): Promise<boolean>;
  act(): Promise<void>;
}

export interface StepResult {
  readonly done: readonly string[];
  /** What was in place already. */
  readonly unchanged: readonly string[];
}

/** Takes the steps in order, and leaves out what is done; in a rehearsal it only says which. */
export async function takeSteps(steps: readonly Step[], dryRun: boolean): Promise<StepResult> {
  const done: string[] = [];
  const unchanged: string[] = [];
  for (const step of steps) {
    if (await step.isDone()) {
      unchanged.push(step.what);
    } else {
      if (!dryRun) {
        await step.act();
      }
      done.push(step.what);
    }
  }
  return { done, unchanged };
}
