import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '#lib/abort.ts';
import { processStart } from '#platform/process/process-lock.ts';
import { run } from '#platform/process/run.ts';
import type { Place, ServerUser } from './place-cluster.ts';
import { refuse } from './refuse.ts';
import type { Server } from './server.ts';

/** How often an adopted server is looked at: its exit cannot be waited for. */
const EXIT_POLL_MS = 200;

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

const POLL_MS = 20;
/** A process whose postmaster died ends by itself when it next looks. */
const PATIENCE_MS = { before: 500, SIGQUIT: 5_000, SIGKILL: 5_000 };

const IN_PROC = `
  for p in /proc/[0-9]*; do
    [ "$p/cwd" -ef "$1" ] && read -r name <"$p/comm" && [ "$name" = postgres ] && echo "\${p#/proc/}"
  done 2>/dev/null
  exit 0`;

/**
 * The ids of all living postgres processes that work in this data folder. Asked as the server's
 * user: in a container not even root may see in which folder another user's process is.
 */
async function postgresIn(cluster: string, user: ServerUser | undefined): Promise<number[]> {
  if (process.platform === 'linux') {
    const found = await run('/bin/sh', ['-c', IN_PROC, 'sh', cluster], { user });
    return found.split('\n').filter(Boolean).map(Number);
  }
  // Only the postmaster's command names the folder.
  const listed = await run('ps', ['-axww', '-o', 'pid=,command=']);
  return listed
    .split('\n')
    .filter((line) => line.includes(`postgres -D ${cluster} `))
    .map((line) => Number.parseInt(line, 10));
}

/** Ends what a dead postmaster has left: no new one may write while these still do. */
export async function endPostgresIn(cluster: string, user: ServerUser | undefined): Promise<void> {
  const isEmpty = async (patience: number) => {
    for (const until = Date.now() + patience; ; await sleep(POLL_MS)) {
      if ((await postgresIn(cluster, user)).length === 0) {
        return true;
      }
      if (Date.now() >= until) {
        return false;
      }
    }
  };
  if (await isEmpty(PATIENCE_MS.before)) {
    return;
  }
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of await postgresIn(cluster, user)) {
      send(pid, signal);
    }
    if (await isEmpty(PATIENCE_MS[signal])) {
      return;
    }
  }
  throw refuse(`processes of an earlier PostgreSQL in ${cluster} do not end`);
}

/** A signal to a process that has just ended is no failure. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}
