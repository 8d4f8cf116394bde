import { spawn } from 'node:child_process';
import { basename } from 'node:path';

/** useradd is in sbin, which some PATHs lack. */
const SYSTEM_FOLDERS = '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin';

export interface RunOptions {
  /** The user the program runs as; by default the current one. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The options with which all programs are spawned. They do not inherit the environment: LANG, LC_*, TZ
 * and PG* would change the behaviour of PostgreSQL. A session of its own keeps Ctrl-C in the terminal
 * from ending the program before this process. Every user can enter the working folder.
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
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) {
        resolve(output);
      } else {
        reject(new Error(`${basename(program)} ended with ${code ?? signal}: ${errors.trim()}`));
      }
    });
  });
}
