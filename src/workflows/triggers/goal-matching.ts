/** A run that is not over, with the goals of its version. */
export interface WaitingRun {
  readonly runId: string;
  readonly contactId: string | null;
  readonly goals: readonly string[];
  /** The goal that it stands at, where that has not been met. */
  readonly waitingFor: string | null;
  /** Of a run that an event began, that event's place in the order. */
  readonly sincePosition: number | null;
  readonly createdAt: Date;
}

export interface Happened {
  readonly name: string;
  /** Null where it is for everybody. */
  readonly contactId: string | null;
  readonly occurredAt: Date;
  /** Null of what stands in no order. */
  readonly position: number | null;
}

export interface Reached {
  /** What each run will have had, once per event. */
  readonly signals: readonly { readonly runId: string; readonly event: string }[];
  /** Runs that stood at the goal. */
  readonly advanced: readonly string[];
}

/** Which runs an event is for. One that comes before the run is at its goal is remembered. */
export function goalsReached(runs: readonly WaitingRun[], events: readonly Happened[]): Reached {
  const signals: { runId: string; event: string }[] = [];
  const advanced = new Set<string>();
  for (const event of events) {
    for (const run of runs.filter((one) => concerns(event, one))) {
      signals.push({ runId: run.runId, event: event.name });
      if (run.waitingFor === event.name) {
        advanced.add(run.runId);
      }
    }
  }
  return { signals, advanced: [...advanced] };
}

const concerns = (event: Happened, run: WaitingRun): boolean =>
  run.goals.includes(event.name) &&
  (event.contactId === null || event.contactId === run.contactId) &&
  isLater(event, run);

/** What began a run, and what happened before, is not for it. */
const isLater = ({ position, occurredAt }: Happened, run: WaitingRun): boolean =>
  position !== null && run.sincePosition !== null
    ? position > run.sincePosition
    : occurredAt >= run.createdAt;
