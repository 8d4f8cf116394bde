import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { stalledLanes, type LaneStates } from '#platform/queue/lanes.ts';
import { startSigns, type ProcessKind } from '#platform/process/heartbeats.ts';
import { startWatchdog } from '#platform/process/systemd.ts';
import type { Service } from './open-service.ts';

interface Life {
  readonly kind: ProcessKind;
  readonly status: () => string;
  readonly isWorking?: () => boolean;
  /** Of the jobs that this process runs. */
  readonly lanes?: () => LaneStates;
}

/** Shows that the process lives, to systemd and in the database. Named last, so that it stops first: whoever looks hears that the end has begun. */
export function keepWatch(
  service: Service,
  { kind, status, isWorking = () => true, lanes = () => ({}) }: Life,
  lifecycle: Lifecycle,
): void {
  const signs = startSigns({ ...service, kind, lanes });
  lifecycle.onStop('signs of life', signs.stop);
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
