import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '#lib/abort.ts';
import { processStart } from '#platform/process/process-lock.ts';
import { run } from '#platform/process/run.ts';
import type { Place, ServerUser } from './server-user.ts';
import { refuse } from './refuse.ts';
import type { Server } from './server.ts';

/** An adopted server is polled: it is not a child of this process. */
const EXIT_POLL_MS = 200;

/** Returns the running postmaster of this data folder, left behind by a dead owner. */
export async function adoptServer({ cluster, user }: Place): Promise<Server | undefined> {
  const found = await readPidFile(cluster);
  // Read first: otherwise the pid could have been reused before the folder is checked.
  const start = found && (await processStart(found.pid));
  if (!start || !(await postgresIn(cluster, user)).includes(found.pid)) {
    return undefined;
  }
  const { pid, port } = found;
  const isLiving = async () => (await processStart(pid)) === start;
  let isGone = false;
  const untilGone = async () => {
    while (await isLiving()) {
      await sleep(EXIT_POLL_MS);
    }
    isGone = true;
  };
  return {
    pid,
    port,
    gone: untilGone(),
    isGone: () => isGone,
    signal: (signal) => send(pid, signal),
    lastLines: () => '(no log: the process that read it is dead)',
  };
}

const PORT_LINE = 3;

interface PidFile {
  readonly pid: number;
  readonly port: number;
}

const pidFileOf = (cluster: string): string => join(cluster, 'postmaster.pid');

/** Parses the pid file; returns undefined if it is missing or invalid. */
async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFileOf(cluster), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[PORT_LINE]);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid, port } : undefined;
}

/**
 * Removes a stale pid file that would prevent a start: its pid was reused or is invalid. Call it only
 * when no postgres uses the data. PostgreSQL handles the file of a dead process itself, and also checks
 * its shared memory.
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

/** The same check as PostgreSQL's; also true for a zombie. */
function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const POLL_MS = 20;
/** Backends of a dead postmaster exit by themselves after a moment. */
const TIMEOUT_MS = { before: 500, SIGQUIT: 5_000, SIGKILL: 5_000 };

const IN_PROC = `
  for p in /proc/[0-9]*; do
    [ "$p/cwd" -ef "$1" ] && read -r name <"$p/comm" && [ "$name" = postgres ] && echo "\${p#/proc/}"
  done 2>/dev/null
  exit 0`;

/**
 * Returns the pids of all postgres processes in this data folder. Runs as the server's user: in a
 * container, even root may not see the folder of another user's process.
 */
async function postgresIn(cluster: string, user: ServerUser | undefined): Promise<number[]> {
  if (process.platform === 'linux') {
    const found = await run('/bin/sh', ['-c', IN_PROC, 'sh', cluster], { user });
    return found.split('\n').filter(Boolean).map(Number);
  }
  // Only the command line of the postmaster contains the folder.
  const listed = await run('ps', ['-axww', '-o', 'pid=,command=']);
  return listed
    .split('\n')
    .filter((line) => line.includes(`postgres -D ${cluster} `))
    .map((line) => Number.parseInt(line, 10));
}

/** Ends the backends of a dead postmaster: a new one must not write at the same time. Throws a Fault after 10 s. */
export async function endPostgresIn(cluster: string, user: ServerUser | undefined): Promise<void> {
  const isEmpty = async (timeoutMs: number) => {
    for (const until = Date.now() + timeoutMs; ; await sleep(POLL_MS)) {
      if ((await postgresIn(cluster, user)).length === 0) {
        return true;
      }
      if (Date.now() >= until) {
        return false;
      }
    }
  };
  if (await isEmpty(TIMEOUT_MS.before)) {
    return;
  }
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of await postgresIn(cluster, user)) {
      send(pid, signal);
    }
    if (await isEmpty(TIMEOUT_MS[signal])) {
      return;
    }
  }
  throw refuse(
    `processes of an earlier PostgreSQL in ${cluster} do not exit; end them, then start again`,
  );
}

/** Ignores processes that have just ended. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
