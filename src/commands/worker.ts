import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';

const CONCURRENCY_MAX = 100;

export const worker = defineCommand()({
  path: 'worker',
  summary: 'Run background jobs: webhooks, messages, campaigns, reminders',
  options: {
    concurrency: {
      flag: '--concurrency <n>',
      help: 'jobs at a time (10)',
      parse(given: string): number {
        const count = /^\d{1,3}$/.test(given) ? Number(given) : 0;
        if (count < 1 || count > CONCURRENCY_MAX) {
          throw new UsageFault(
            `${given || 'nothing'} was given; it takes a number from 1 to ${CONCURRENCY_MAX}`,
          );
        }
        return count;
      },
    },
    hold: {
      flag: '--hold',
      help: 'start paused: run no jobs until frontdesk admin release',
    },
  },
  examples: ['frontdesk worker', 'frontdesk worker --concurrency 24', 'frontdesk worker --hold'],
  context: 'none',
  async run(_, given) {
    const { runWorker } = await import('./run-worker.ts');
    return runWorker(given);
  },
});
