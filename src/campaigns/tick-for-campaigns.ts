import type { Logger as CronLogger } from 'node-cron';
import type { Actor } from '#core/work.ts';
import type { Logger } from '#platform/config/logger.ts';
import { dispatchDue, type DispatchTools } from './dispatch-due.ts';
import { wakeMailing } from './delivery/wake-mailing.ts';

/** A tick that is late, doubled or missing does no harm: the database says what is due. */
const EVERY_2_S = '*/2 * * * * *';
/** After the machine's clock was put back, no tick would come before it is as late again. */
const STILL_MS = 15_000;

interface TickTools extends DispatchTools {
  readonly log: Logger;
}

/**
 * Starts campaigns that are due, in every worker, until it is stopped. Ticks never overlap; `stop`
 * waits for the running one.
 */
export async function tickForCampaigns(tools: TickTools): Promise<{ stop(): Promise<void> }> {
  const { schedule } = await import('node-cron');
  const { log } = tools;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let tickedAt = performance.now();
  const tick = async () => {
    try {
      await wakeMailing(tools);
      const started = await dispatchDue(tools, actor(), stopping.signal);
      if (started.length > 0) {
        log.info({ campaigns: started.length }, 'campaigns were due');
      }
    } catch (error) {
      log.warn({ err: error }, 'campaigns not looked for; trying again');
    }
    tickedAt = performance.now();
    running = undefined;
  };
  const options = { timezone: 'UTC', suppressMissedWarning: true, logger: cronLogger(log) };
  const begin = () => schedule(EVERY_2_S, () => void (running ??= tick()), options);
  let task = begin();
  const guard = setInterval(() => {
    // While a long tick runs, ticks are skipped, not missing.
    if (!running && performance.now() - tickedAt > STILL_MS) {
      void Promise.resolve(task.destroy()).catch((error: unknown) =>
        log.warn({ err: error }, 'a stalled campaign tick was not stopped'),
      );
      task = begin();
      tickedAt = performance.now();
    }
  }, STILL_MS);
  return {
    async stop() {
      stopping.abort();
      clearInterval(guard);
      await task.destroy();
      await running;
    },
  };
}

/** node-cron writes to the terminal unless it is given a logger. */
const cronLogger = (log: Logger): CronLogger => ({
  info: (message) => log.debug({ from: 'node-cron' }, message),
  warn: (message) => log.warn({ from: 'node-cron' }, message),
  error: (message, error) =>
    message instanceof Error
      ? log.error({ from: 'node-cron', err: message }, message.message)
      : log.error({ from: 'node-cron', err: error }, message),
  debug: (message, error) =>
    log.debug(
      { from: 'node-cron', err: error },
      message instanceof Error ? message.message : message,
    ),
});

const actor = (): Actor => ({
  kind: 'job',
  name: 'campaigns/dispatch',
  requestId: crypto.randomUUID(),
  operation: 'campaigns/dispatch',
});
