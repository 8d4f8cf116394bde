import type { Logger } from '#platform/logger.ts';
import type { Actor } from '#kit/work.ts';
import { dispatchDue, type DispatchTools } from './dispatch-due.ts';
import { wakeMailing } from './wake-mailing.ts';

/** A tick that comes late, twice or not at all does no harm: the database says what is due. */
const EVERY_2_S = '*/2 * * * * *';
/** Where the machine's clock was put back, ticks would not come before it is as late again. */
const STILL_MS = 15_000;

interface TickTools extends DispatchTools {
  readonly log: Logger;
}

/** Starts campaigns that are due, in every worker, for as long as the process lives. */
export async function tickForCampaigns(tools: TickTools): Promise<{ stop(): Promise<void> }> {
  const { schedule } = await import('node-cron');
  let running = Promise.resolve();
  let tickedAt = performance.now();
  const tick = async () => {
    tickedAt = performance.now();
    try {
      await wakeMailing(tools);
      const started = await dispatchDue(tools, actor());
      if (started.length > 0) {
        tools.log.info({ campaigns: started.length }, 'campaigns were due');
      }
    } catch (error) {
      tools.log.warn({ err: error }, 'campaigns not looked for; trying again');
    }
    tickedAt = performance.now();
  };
  const begin = () =>
    schedule(
      EVERY_2_S,
      () => {
        running = tick();
        return running;
      },
      { noOverlap: true, timezone: 'UTC', suppressMissedWarning: true },
    );
  let task = begin();
  const guard = setInterval(() => {
    if (performance.now() - tickedAt > STILL_MS) {
      void task.destroy();
      task = begin();
      tickedAt = performance.now();
    }
  }, STILL_MS);
  return {
    async stop() {
      clearInterval(guard);
      await task.destroy();
      await running;
    },
  };
}

const actor = (): Actor => ({
  kind: 'job',
  name: 'campaigns/dispatch',
  requestId: crypto.randomUUID(),
  operation: 'campaigns/dispatch',
});
