import { sleep } from '#lib/abort.ts';
import { readPidFile } from './pid-file.ts';
import { postgresIn, send } from './postgres-processes.ts';
import { processStart } from '#platform/process/process-start.ts';
import type { Place } from '../cluster/server-user.ts';
import type { Server } from './server.ts';

const POLL_MS = 200;

/** The postmaster that runs on this data folder already, left behind by an owner that died. */
export async function adoptServer({ cluster, user }: Place): Promise<Server | undefined> {
  const found = await readPidFile(cluster);
  // Asked first, so that the process whose folder is seen cannot be a later one.
  const start = found && (await processStart(found.pid));
  if (!start || !(await postgresIn(cluster, user)).includes(found.pid)) {
    return undefined;
  }
  const { pid, port } = found;
  const isLiving = async () => (await processStart(pid)) === start;
  let isGone = false;
  const untilGone = async () => {
    while (await isLiving()) {
      await sleep(POLL_MS);
    }
    isGone = true;
  };
  return {
    pid,
    port,
    gone: untilGone(),
    isGone: () => isGone,
    signal: (signal) => send(pid, signal),
    lastLines: () => '(it was taken over: what it said went to a process that is dead)',
  };
}
