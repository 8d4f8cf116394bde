import { spawn } from 'node:child_process';
import { basename } from 'node:path';

/** useradd is in sbin, which is not on every PATH. */
const SYSTEM_FOLDERS = '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin';

export interface RunOptions {
  /** The user the program runs as; by default the current one. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The options with which all programs are spawned. Our environment is left out: LANG, LC_*, TZ and PG*
 * change the behaviour of PostgreSQL. A session of its own keeps Ctrl-C in the terminal from ending the
 * program before us. The working folder is one that every user can enter.
 */
export const spawnOptions = ({ user, env = {} }: RunOptions) => ({
  cwd: '/',
  env: { PATH: `${process.env['PATH'] ?? ''}:${SYSTEM_FOLDERS}`, LC_ALL: 'C', TZ: 'UTC', ...env },
  detached: true,
  ...(user && { uid: user.uid, gid: user.gid }),
});

/** Runs a program and resolves with its output; throws an Error with its stderr. */
export function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Some failures are thrown here, others are emitted as an event.
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
