import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const FRONTDESK = fileURLToPath(new URL('../bin/frontdesk', import.meta.url));

/** The environment of the product. */
export type Environment = Readonly<Record<string, string>>;

/** Runs one command of the product and returns its `--json` output. */
export async function frontdesk(env: Environment, ...args: readonly string[]): Promise<any> {
  const { stdout } = await promisify(execFile)(FRONTDESK, [...args, '--json', '--yes'], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}
