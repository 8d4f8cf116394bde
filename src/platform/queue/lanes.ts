import type { WorkerEvents } from 'graphile-worker';

/** The state of a lane of jobs, as metrics, `doctor` and systemd show it. */
export interface LaneState {
  /** False while the lane is stalled or restarting. */
  readonly isTaking: boolean;
  /** Jobs that run now. */
  readonly running: number;
  /** Restarts since the process started. */
  readonly restarts: number;
}

export type LaneStates = Readonly<Record<string, LaneState>>;

/** Returns the names of the lanes that fetch no jobs. */
export const stalledLanes = (lanes: LaneStates): string[] =>
  Object.entries(lanes).flatMap(([name, { isTaking }]) => (isTaking ? [] : [name]));

/** Calls `onFailure` once when a lane begins to end by itself: its promise may never settle. */
export function watchEnd(events: WorkerEvents, onFailure: (error: unknown) => void) {
  let isOver = false;
  const fail = (error: unknown) => {
    if (!isOver) {
      isOver = true;
      onFailure(error);
    }
  };
  events.on('pool:fatalError', ({ error }) => fail(error));
  events.on('pool:gracefulShutdown', ({ message }) => fail(new Error(message)));
  return {
    fail,
    isOver: () => isOver,
    expect() {
      isOver = true;
    },
  };
}

/** Added to twice the poll interval. */
const FETCH_LATE_MS = 5_000;

interface LaneSize {
  readonly concurrency: number;
  readonly pollIntervalMs: number;
}

/** The statements of a lane that fetch jobs, and how long ago the last one ran. */
export interface Fetches {
  /** Records that a job has ended and its place is free: the lane may fetch later than usual. */
  onJobEnd(): void;
  onFetch(phase: 'begun' | 'ended'): void;
  isTaking(): boolean;
}

/** Tracks the statements that fetch jobs, to detect a lane that has stopped fetching. */
export function trackFetches(
  { concurrency, pollIntervalMs }: LaneSize,
  running: ReadonlySet<string>,
): Fetches {
  const lateMs = FETCH_LATE_MS + 2 * pollIntervalMs;
  let underWay = 0;
  let lastAt = performance.now();
  const onJobEnd = () => {
    lastAt = performance.now();
  };
  return {
    onJobEnd,
    onFetch(phase) {
      underWay += phase === 'begun' ? 1 : -1;
      lastAt = performance.now();
    },
    isTaking: () =>
      running.size >= concurrency || underWay > 0 || performance.now() - lastAt < lateMs,
  };
}
