import { aborted, sleep } from '#lib/abort.ts';

/** How long other jobs wait for a suspect, and how long the next suspect waits at most. */
const ALONE_MS = 2_000;
/** Other jobs run at least this many times as long as they waited before the next suspect runs alone. */
const OPEN_FACTOR = 4;
/** Between two suspects that were postponed: at most ten are checked per second. */
const POSTPONE_MS = 100;

/** A suspect that may not start yet. Its job goes back to the queue. */
export class Postponed extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super('postponed: another suspect was started');
    this.ms = ms;
  }
}

export interface AloneRun {
  /** Records the start. `isAlone`: no other job runs, nor starts before `endAlone` has resolved. */
  readonly mark: (isAlone: boolean) => Promise<void>;
  /** Records that other jobs start now. Never rejects. */
  readonly endAlone: () => Promise<void>;
  readonly handle: () => Promise<void>;
  readonly signal: AbortSignal;
}

interface GateOptions {
  readonly aloneMs?: number;
  readonly now?: () => number;
}

export type SuspectGate = ReturnType<typeof openSuspectGate>;

/** Decides when the jobs of one process start. Suspects start one after another. */
export function openSuspectGate({
  aloneMs = ALONE_MS,
  now = () => performance.now(),
}: GateOptions = {}) {
  const jobs = trackJobs();
  const starts = trackStarts(now);
  const { closed } = starts;
  return {
    /** Runs a job. It waits while a suspect runs alone. */
    start(act: () => Promise<void>, signal: AbortSignal): Promise<void> {
      const tracked = () => jobs.track(act());
      return closed() ? startAfter(closed, signal, tracked) : tracked();
    },
    /**
     * Runs a suspect beside other jobs. The next suspect may start once it ends, or has run for
     * `aloneMs`. Throws Postponed if that is not so for the previous one.
     */
    async startNext(act: () => Promise<void>): Promise<void> {
      starts.requireNext();
      const leave = starts.enter(aloneMs);
      await jobs.track(act()).finally(leave);
    },
    /**
     * Runs a suspect alone: others wait until it ends, but no longer than `factor` times `aloneMs`,
     * including the time in which running jobs may end. Throws Postponed if they waited shortly before.
     */
    async startAlone(run: AloneRun, factor: number): Promise<void> {
      starts.requireAlone();
      const open = starts.close();
      const ended = new AbortController();
      const signal = AbortSignal.any([run.signal, ended.signal]);
      const late = sleep(factor * aloneMs, signal, { ref: false });
      const expire = async () => {
        await late;
        if (!ended.signal.aborted) {
          await run.endAlone();
        }
        open();
      };
      try {
        await Promise.race([jobs.idle(), late]);
        run.signal.throwIfAborted();
        const isAlone = jobs.running() === 0;
        if (!isAlone) {
          open();
        }
        await jobs.track(runMarked(run, isAlone, expire));
      } finally {
        ended.abort();
        open();
      }
    },
  };
}

/** Calls `expire` once the record says that the job runs alone. */
async function runMarked(
  { mark, handle }: AloneRun,
  isAlone: boolean,
  expire: () => Promise<void>,
): Promise<void> {
  await mark(isAlone);
  if (isAlone) {
    void expire();
  }
  await handle();
}

/** Of this process, whatever the lane. */
export const suspectGate = openSuspectGate();

/** When the next suspects may start. */
function trackStarts(now: () => number) {
  /** Pending while other jobs wait for a suspect. */
  let closed: Promise<void> | undefined;
  let nextAt = 0;
  let nextAloneAt = 0;
  let postponedTo = 0;
  const postpone = (until: number) => {
    postponedTo = Math.max(postponedTo, now()) + POSTPONE_MS;
    throw new Postponed(Math.max(postponedTo, until) - now());
  };
  return {
    closed: () => closed,
    requireNext: () => now() >= nextAt || postpone(0),
    requireAlone: () => now() >= Math.max(nextAt, nextAloneAt) || postpone(nextAloneAt),
    /** Lets the next suspect start after `ms`, or when the returned function is called. */
    enter(ms: number) {
      const until = now() + ms;
      nextAt = until;
      return () => {
        nextAt = nextAt === until ? 0 : nextAt;
      };
    },
    /** Lets no job start until the returned function is called. */
    close() {
      const since = now();
      const { promise, resolve } = Promise.withResolvers<void>();
      closed = promise;
      nextAt = Infinity;
      return () => {
        if (closed === promise) {
          closed = undefined;
          nextAt = 0;
          nextAloneAt = now() + OPEN_FACTOR * (now() - since);
          resolve();
        }
      };
    },
  };
}

function trackJobs() {
  const running = new Set<Promise<void>>();
  return {
    running: () => running.size,
    /** Resolves once the jobs that run now have ended. */
    idle: () => Promise.all(running),
    track(job: Promise<void>): Promise<void> {
      const ended = job
        .catch(() => undefined)
        .finally(() => {
          running.delete(ended);
        });
      running.add(ended);
      return job;
    },
  };
}

async function startAfter(
  closed: () => Promise<void> | undefined,
  signal: AbortSignal,
  start: () => Promise<void>,
): Promise<void> {
  for (let waited = closed(); waited; waited = closed()) {
    await Promise.race([waited, aborted(signal)]);
    signal.throwIfAborted();
  }
  await start();
}
