import { sleep } from '#lib/abort.ts';
import { refuse } from '../refuse.ts';
import { run } from '#platform/process/run.ts';
import type { ServerUser } from '../cluster/server-user.ts';

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
export async function postgresIn(cluster: string, user: ServerUser | undefined): Promise<number[]> {
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
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}
