import type { WorkerEvents } from 'graphile-worker';

/** Cron timers may be this early; earlier than that, the clock of the machine was put back. */
const CLOCK_BACK_MS = 120_000;
/** Added to twice the poll interval. */
const LOOK_LATE_MS = 5_000;

interface EndHandlers {
  readonly onFailure: (error: unknown) => void;
  readonly onClockBack?: () => void;
}

/** What a lane does to fetch jobs, and how long ago it last did. */
export interface Looks {
  /** Records that the lane is alive: a job has ended and its place is free. */
  touch(): void;
  onLook(phase: 'begun' | 'ended'): void;
  isTaking(): boolean;
}

/** Calls back once when the lane begins to end by itself: its promise may never settle. */
export function watchEnd(events: WorkerEvents, { onFailure, onClockBack }: EndHandlers) {
  let isOver = false;
  const fail = (error: unknown) => {
    if (!isOver) {
      isOver = true;
      onFailure(error);
    }
  };
  events.on('pool:fatalError', ({ error }) => fail(error));
  events.on('pool:gracefulShutdown', ({ message }) => fail(new Error(message)));
  events.on('cron:prematureTimer', ({ currentTimestamp, expectedTimestamp }) => {
    if (expectedTimestamp - currentTimestamp > CLOCK_BACK_MS) {
      onClockBack?.();
    }
  });
  return {
    fail,
    expect() {
      isOver = true;
    },
  };
}

interface LaneSize {
  readonly concurrency: number;
  readonly pollIntervalMs: number;
}

/** Tracks the statements that fetch jobs, to detect a lane that has stopped fetching. */
export function trackLooks(
  { concurrency, pollIntervalMs }: LaneSize,
  running: ReadonlySet<string>,
): Looks {
  const lateMs = LOOK_LATE_MS + 2 * pollIntervalMs;
  let underWay = 0;
  let lastAt = performance.now();
  const touch = () => {
    lastAt = performance.now();
  };
  return {
    touch,
    onLook(phase: 'begun' | 'ended') {
      underWay += phase === 'begun' ? 1 : -1;
      touch();
    },
    isTaking: () =>
      running.size >= concurrency || underWay > 0 || performance.now() - lastAt < lateMs,
  };
}
