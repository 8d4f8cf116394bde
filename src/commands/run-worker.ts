import type { Outcome } from '#kit/command.ts';
import { openCheckedService } from './open-checked-service.ts';
import { JOBS_AT_ONCE, startJobs } from './start-jobs.ts';
import { stay } from './stay.ts';

const CONNECTIONS_MAX = 16;

export const runWorker = (concurrency = JOBS_AT_ONCE): Promise<Outcome> =>
  stay(['databaseUrl', 'secretKey'], async ({ environment, log, lifecycle }) => {
    const service = await openCheckedService({
      environment,
      log,
      name: 'frontdesk worker',
      connections: Math.min(concurrency, CONNECTIONS_MAX),
      stays: true,
    });
    lifecycle.onStop('database', () => service.close());
    await startJobs(service, environment, concurrency, lifecycle);
    return { json: { concurrency }, text: `Frontdesk works, ${concurrency} jobs at a time` };
  });
