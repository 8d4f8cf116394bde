import { acquireProcessLock } from '#platform/process/process-lock.ts';
import { messageOf, refuse } from '../refuse.ts';

/**
 * Makes this process the only owner of a cluster until the returned function is called. The lock of a
 * dead owner is replaced. Throws a Fault where another living process owns the cluster.
 */
export async function lockCluster(cluster: string): Promise<() => Promise<void>> {
  const path = `${cluster}.lock`;
  const lock = await acquireProcessLock(path).catch((error: unknown) => {
    throw refuse(`the data folder cannot be written to: ${messageOf(error)}`);
  });
  if (!lock) {
    throw refuse(`${path} cannot be created: other processes keep trying the same`);
  }
  if ('owner' in lock) {
    throw refuse(
      `${cluster} is in use by process ${lock.owner.pid}; ` +
        'stop that one first, or name another data folder',
    );
  }
  return () => lock.release();
}
