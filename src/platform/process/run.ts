import { spawn } from 'node:child_process';
import { basename } from 'node:path';

/** useradd is in sbin, which is not on every PATH. */
const SYSTEM_FOLDERS = '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin';

export interface RunOptions {
  /** The user the program runs as; the current one without it. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * How every program of ours is spawned. Our own environment is left out: LANG, LC_*, TZ and PG*
 * change what PostgreSQL does. It gets a session of its own, so that Ctrl-C in the terminal does not
 * end it before we do; and a folder that every user can enter.
 */
export const spawnOptions = ({ user, env = {} }: RunOptions) => ({
  cwd: '/',
  env: { PATH: `${process.env['PATH'] ?? ''}:${SYSTEM_FOLDERS}`, LC_ALL: 'C', TZ: 'UTC', ...env },
  detached: true,
  ...(user && { uid: user.uid, gid: user.gid }),
});

/** Runs a program to its end and resolves with its output; throws with what it said on stderr. */
export function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Some failures are thrown here, others come as an event.
    const child = spawn(program, args, {
      ...spawnOptions(options),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (said: Buffer) => (output += said.toString()));
    child.stderr.on('data', (said: Buffer) => (errors += said.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) {
        resolve(output);
      } else {
        const said = errors.trim();
        reject(new Error(`${basename(program)} ended with ${code ?? signal}: ${said}`));
      }
    });
  });
}
