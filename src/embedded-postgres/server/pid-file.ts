import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from '#platform/process/process-start.ts';

const PORT_LINE = 3;

export interface PidFile {
  readonly pid: number;
  readonly port: number;
}

const pidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid');

/** What the postmaster wrote of itself; undefined where there is none or it is no such file. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[PORT_LINE]);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, port } : undefined;
}

/**
 * Removes a file that would keep PostgreSQL from starting though nobody uses the data: its process
 * id is another process's by now, or it is no id. Call it only when no postgres works there. A dead
 * one's file is left to PostgreSQL, which looks for its shared memory too.
 */
export async function removeStalePidFile(
  cluster: string,
  log: (line: string) => void,
): Promise<void> {
  const found = await readPidFile(cluster);
  const isDead = found && (await processStart(found.pid)) === undefined && !isSignalable(found.pid);
  if (!isDead) {
    await rm(pidFileOf(cluster)).then(
      () => log(`removed a stale ${pidFileOf(cluster)}`),
      () => {},
    );
  }
}

/** PostgreSQL's own question, to which a zombie says yes. */
function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
