import { newBell } from '#kit/bell.ts';
import type { Environment } from '#platform/environment.ts';
import { HOLDING, readHolding } from '#platform/holding.ts';
import type { Lifecycle } from '#platform/lifecycle.ts';
import type { Service } from './open-service.ts';
import { startJobs, type Jobs } from './start-jobs.ts';
import { startParts, type Parts } from './start-parts.ts';

/** Of jobs that run when they are to be held. */
const FINISH_MS = 30_000;

interface Wanted {
  readonly concurrency: number;
  /** Begins held: does nothing before the next `frontdesk admin release`. */
  readonly hold: boolean;
}

export interface HeldJobs extends Jobs {
  /** Why nothing is done; undefined while jobs are. */
  heldFor(): string | undefined;
}

/**
 * Does jobs until the process ends, and stands still while the installation is held: no job, no event
 * published, no mailbox read. Looks by itself, besides notices, so that none which is lost matters.
 */
export async function startJobsUnlessHeld(
  service: Service,
  environment: Environment & { readonly databaseUrl: string },
  { concurrency, hold }: Wanted,
  lifecycle: Lifecycle,
): Promise<HeldJobs> {
  const { log, database, changes } = service;
  const releasesSeen = hold ? (await readHolding(database)).releases : undefined;
  const stopping = new AbortController();
  let running: Parts | undefined;
  let jobs: Jobs | undefined;
  let held: string | undefined;

  const look = async () => {
    const { heldSince, reason, releases } = await readHolding(database);
    const why = heldSince
      ? (reason ?? 'held')
      : releases === releasesSeen
        ? 'started with --hold'
        : undefined;
    if (why === undefined) {
      running ??= await startParts(lifecycle, async (inner) => {
        jobs = await startJobs(service, environment, concurrency, inner);
      });
      held = undefined;
    } else {
      await running?.stop(AbortSignal.timeout(FINISH_MS));
      running = undefined;
      jobs = undefined;
      if (held === undefined) {
        log.warn({ why, heldSince }, 'held: nothing is done before frontdesk admin release');
      }
      held = why;
    }
  };
  await look();
  const bell = newBell();
  changes.onChange(HOLDING, bell.ring);
  // At once again: a hold that came while the jobs were started has not waited for them.
  bell.ring();
  const looking = (async () => {
    for (;;) {
      await bell.heard(environment.pollInterval);
      if (stopping.signal.aborted) {
        return;
      }
      await look().catch((error: unknown) => log.debug({ err: error }, 'not looked whether held'));
    }
  })();
  lifecycle.onStop('jobs', async (hurry) => {
    stopping.abort();
    bell.ring();
    await looking;
    await running?.stop(hurry);
  });
  return { isTaking: () => jobs?.isTaking() ?? true, heldFor: () => held };
}
