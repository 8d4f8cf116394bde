/** One thing that `install` sets up or `uninstall` removes. */
export interface Step {
  /** The text to print, such as `folder /etc/frontdesk`. */
  readonly what: string;
  isDone(): Promise<boolean>;
  act(): Promise<void>;
}

export interface StepResult {
  readonly done: readonly string[];
  /** Steps that were done already. */
  readonly unchanged: readonly string[];
}

/** Takes the steps in order, except those that are done. A dry run only returns them. */
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
