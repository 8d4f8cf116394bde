import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from './database.ts';
import { rightSchedule } from './right-schedule.ts';
import { startWorker, type Worker, type WorkerOptions } from './worker.ts';

const BEGIN_AGAIN_MS = 1_000;
/** Of jobs that run meanwhile. */
const FINISH_MS = 30_000;

/**
 * A worker that begins anew where its queue gives up for the database: the queue does so whenever it
 * cannot write down that a job is done. What it had taken is free again once its sign of life is gone.
 * And one whose schedule begins anew where the clock was put back, instead of waiting until it is as
 * late again.
 */
export async function keepWorking(options: WorkerOptions): Promise<Worker> {
  const { log } = options;
  const stopping = new AbortController();
  let beginning: Promise<void> | undefined;
  const onFailure = (error: unknown) => {
    if (!isDatabaseAway(error)) {
      options.onFailure(error);
      return;
    }
    log.warn({ err: error }, 'the queue stopped; it begins anew once the database is back');
    beginning = beginAnew(AbortSignal.abort());
  };
  const onClockBack = () => {
    log.warn('the clock of this machine was put back; the schedule begins anew');
    beginning = beginAnew(AbortSignal.timeout(FINISH_MS));
  };
  const start = () => startWorker({ ...options, onFailure, onClockBack });
  const beginAnew = async (hurry: AbortSignal) => {
    const ending = worker;
    worker = undefined;
    await ending?.stop(hurry).catch((error: unknown) => {
      log.debug({ err: error }, 'jobs not given back');
    });
    while (!stopping.signal.aborted) {
      try {
        await rightSchedule(options.pool);
        worker = await start();
        return;
      } catch (error) {
        log.debug({ err: error }, 'the queue does not begin');
      }
      await sleep(BEGIN_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  await rightSchedule(options.pool);
  let worker: Worker | undefined = await start();
  return {
    isTaking: () => worker?.isTaking() ?? false,
    async stop(hurry) {
      stopping.abort();
      await beginning;
      await worker?.stop(hurry);
    },
  };
}
