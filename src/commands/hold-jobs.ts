import { newBell } from '#kit/bell.ts';
import type { Environment } from '#platform/environment.ts';
import { HOLDING, readHolding } from '#platform/holding.ts';
import type { Lifecycle } from '#platform/lifecycle.ts';
import type { Service } from './open-service.ts';
import { startJobs } from './start-jobs.ts';
import { startParts, type Parts } from './start-parts.ts';

/** Of jobs that run when they are to be held. */
const FINISH_MS = 30_000;

interface Wanted {
  readonly concurrency: number;
  /** Begins held: does nothing before the next `frontdesk admin release`. */
  readonly hold: boolean;
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
): Promise<void> {
  const { log, database, changes } = service;
  const releasesSeen = hold ? (await readHolding(database)).releases : undefined;
  const stopping = new AbortController();
  let running: Parts | undefined;
  let isTold = false;

  const look = async () => {
    const { heldSince, reason, releases } = await readHolding(database);
    const why = heldSince ? reason : releases === releasesSeen ? 'started with --hold' : undefined;
    if (why === undefined) {
      running ??= await startParts(lifecycle, (inner) =>
        startJobs(service, environment, concurrency, inner),
      );
      isTold = false;
    } else {
      await running?.stop(AbortSignal.timeout(FINISH_MS));
      running = undefined;
      if (!isTold) {
        log.warn({ why, heldSince }, 'held: nothing is done before frontdesk admin release');
        isTold = true;
      }
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
}
