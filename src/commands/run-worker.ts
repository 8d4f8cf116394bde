import type { Outcome } from '#core/command.ts';
import { startJobsUnlessHeld } from './server/pause-jobs.ts';
import { endWhenOutdated } from './server/end-when-outdated.ts';
import { keepWatch } from './server/keep-watch.ts';
import { openCheckedService } from './server/open-checked-service.ts';
import { JOBS_AT_ONCE } from './server/start-jobs.ts';
import { stay } from './server/stay.ts';

const CONNECTIONS_MAX = 16;

interface WorkerInput {
  readonly concurrency: number | undefined;
  readonly hold: boolean | undefined;
}

export const runWorker = ({
  concurrency = JOBS_AT_ONCE,
  hold = false,
}: WorkerInput): Promise<Outcome> =>
  stay(['databaseUrl', 'secretKey'], async ({ environment, log, lifecycle }) => {
    const service = await openCheckedService({
      environment,
      log,
      name: 'frontdesk worker',
      connections: Math.min(concurrency, CONNECTIONS_MAX),
      stays: true,
    });
    lifecycle.onStop('database', () => service.close());
    const jobs = await startJobsUnlessHeld(
      service,
      environment,
      { concurrency, startPaused: hold },
      lifecycle,
    );
    const status = () => {
      const why = jobs.heldFor();
      return why === undefined ? `working, ${concurrency} jobs at a time` : `held: ${why}`;
    };
    endWhenOutdated(service, lifecycle);
    const { isTaking: isWorking, lanes } = jobs;
    keepWatch(service, { kind: 'worker', status, isWorking, lanes }, lifecycle);
    return { json: { concurrency }, text: `Frontdesk works, ${concurrency} jobs at a time` };
  });
