import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { endWhenOutdated, keepWatch, stay } from './server/stay.ts';
import { openCheckedService } from './server/open-service.ts';
import { startJobsUnlessPaused } from './server/pause-jobs.ts';
import { JOBS_AT_ONCE } from './server/start-jobs.ts';

const CONCURRENCY_MAX = 100;
const CONNECTIONS_MAX = 16;

export const worker = defineCommand()({
  path: 'worker',
  summary: 'Run background jobs: webhooks, messages, campaigns, reminders',
  options: {
    concurrency: {
      flag: '--concurrency <n>',
      help: `number of concurrent jobs (default: ${JOBS_AT_ONCE})`,
      parse(given: string): number {
        const count = /^\d{1,3}$/.test(given) ? Number(given) : 0;
        if (count < 1 || count > CONCURRENCY_MAX) {
          throw new UsageFault(
            `${given || 'nothing'} was given; it must be a number from 1 to ${CONCURRENCY_MAX}`,
          );
        }
        return count;
      },
    },
    paused: {
      flag: '--hold',
      help: 'start paused: run no jobs until frontdesk admin release',
    },
  },
  examples: ['frontdesk worker', 'frontdesk worker --concurrency 24', 'frontdesk worker --hold'],
  context: 'none',
  run: (_, { concurrency = JOBS_AT_ONCE, paused = false }) =>
    stay(['databaseUrl', 'secretKey'], async ({ environment, log, lifecycle }) => {
      const service = await openCheckedService({
        environment,
        log,
        name: 'frontdesk worker',
        connections: Math.min(concurrency, CONNECTIONS_MAX),
        stays: true,
      });
      lifecycle.onStop('database', () => service.close());
      const jobs = await startJobsUnlessPaused(
        service,
        environment,
        { concurrency, startPaused: paused },
        lifecycle,
      );
      const status = () => {
        const why = jobs.pauseReason();
        return why === undefined ? `running up to ${concurrency} jobs` : `paused: ${why}`;
      };
      endWhenOutdated(service, lifecycle);
      const { isTaking: isWorking, lanes } = jobs;
      keepWatch(service, { kind: 'worker', status, isWorking, lanes }, lifecycle);
      return {
        json: { concurrency },
        text: `Frontdesk is running up to ${concurrency} jobs at a time`,
      };
    }),
});
