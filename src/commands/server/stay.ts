import type { Outcome } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { readEnvironment, type Environment } from '#platform/config/environment.ts';
import { logConsole, type Logger } from '#platform/config/logger.ts';
import { unknownVariables } from '#platform/config/unknown-variables.ts';
import { MIGRATIONS_TABLE } from '#platform/database/migrate/schema-state.ts';
import { startHeartbeats, type ProcessKind } from '#platform/process/heartbeats.ts';
import { compactAfterStart } from '#platform/process/heap.ts';
import { live, type Lifecycle } from '#platform/process/lifecycle.ts';
import { notifySystemd, startWatchdog } from '#platform/process/systemd.ts';
import { stalledLanes, type LaneStates } from '#platform/queue/lanes.ts';
import { startSampler } from '../../operations/samples/process-samples.ts';
import { flushed, openLog } from './open-log.ts';
import { requireCurrentSchema, type Service } from './open-service.ts';

export interface Staying<R extends keyof Environment = never> {
  readonly environment: ReturnType<typeof readEnvironment<R>>;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
}

/** Runs a command until a signal ends it. Returns its outcome once it has started. */
export async function stay<R extends keyof Environment = never>(
  required: readonly R[],
  start: (staying: Staying<R>) => Promise<Outcome>,
  source = withEnvironmentFile(process.env),
): Promise<Outcome> {
  const environment = readEnvironment(source, required);
  const log = await openLog(environment);
  logConsole(log);
  unknownVariables(source).forEach((text) => log.warn(text));
  try {
    const started = await live(log, (lifecycle) => {
      lifecycle.onStop('log', () => flushed(log));
      return start({ environment, log, lifecycle });
    });
    notifySystemd({ READY: '1' });
    compactAfterStart();
    return started;
  } catch (error) {
    await flushed(log);
    throw error;
  }
}

interface Life {
  readonly kind: ProcessKind;
  readonly status: () => string;
  readonly isWorking?: () => boolean;
  /** The states of the lanes whose jobs this process runs. */
  readonly lanes?: () => LaneStates;
}

/** Reports to systemd and in the database that the process is alive. Start it last, so that it stops first. */
export function keepWatch(
  service: Service,
  { kind, status, isWorking = () => true, lanes = () => ({}) }: Life,
  lifecycle: Lifecycle,
): void {
  const heartbeats = startHeartbeats({ ...service, kind, lanes });
  lifecycle.onStop('heartbeats', heartbeats.stop);
  const sampler = startSampler(service);
  lifecycle.onStop('samples', sampler.stop);
  const watchdog = startWatchdog({
    ...service,
    status: () => status() + stalledText(lanes()),
    isWorking,
  });
  lifecycle.onStop('watchdog', watchdog.stop);
}

const stalledText = (lanes: LaneStates): string => {
  const stalled = stalledLanes(lanes);
  return stalled.length === 0 ? '' : `; stalled, restarting: ${stalled.join(', ')}`;
};

/**
 * Ends the process once another release has migrated the database: this release was never tested with
 * that schema. After a restart the new release runs, or this one refuses to start.
 */
export function endWhenOutdated(
  { changes, database, log }: Pick<Service, 'changes' | 'database' | 'log'>,
  lifecycle: Pick<Lifecycle, 'end'>,
): void {
  changes.watch(MIGRATIONS_TABLE, () => {
    requireCurrentSchema(database).catch((error: unknown) => {
      if (error instanceof Fault) {
        log.fatal(error.message);
        lifecycle.end(1, error.message);
      }
    });
  });
}
