import type { Outcome } from '#core/command.ts';
import { readEnvironment, type Environment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { live, type Lifecycle } from '#platform/process/lifecycle.ts';
import type { Logger } from '#platform/config/logger.ts';
import { notifySystemd } from '#platform/process/systemd.ts';
import { flushed, openLog } from './open-log.ts';

export interface Staying<R extends keyof Environment = never> {
  readonly environment: ReturnType<typeof readEnvironment<R>>;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
}

/** Runs a command until it is told to end. Returns its outcome once it has started. */
export async function stay<R extends keyof Environment = never>(
  required: readonly R[],
  start: (staying: Staying<R>) => Promise<Outcome>,
  source = withEnvironmentFile(process.env),
): Promise<Outcome> {
  const environment = readEnvironment(source, required);
  const log = await openLog(environment);
  try {
    const started = await live(log, (lifecycle) => {
      lifecycle.onStop('log', () => flushed(log));
      return start({ environment, log, lifecycle });
    });
    notifySystemd({ READY: '1' });
    return started;
  } catch (error) {
    await flushed(log);
    throw error;
  }
}
