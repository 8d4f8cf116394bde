import { sleep } from '#lib/abort.ts';
import { processStart } from '#platform/process/process-lock.ts';
import type { Place } from '../cluster/server-user.ts';
import { postgresIn, send } from './postgres-processes.ts';
import type { Server } from './server.ts';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

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

const PORT_LINE = 3;

interface PidFile {
  readonly pid: number;
  readonly port: number;
}

const pidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid');

/** What the postmaster wrote of itself; undefined where there is none or it is no such file. */
async function readPidFile(cluster: string): Promise<PidFile | undefined> {
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
