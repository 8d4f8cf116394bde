import { execFile, spawnSync, type ExecFileException } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/frontdesk-tools');

export interface Ran {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

export const run = (
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Ran> =>
  new Promise((done) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    execFile(program, args, options, (error: ExecFileException | null, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });

/**
 * Installs the packages of a folder of the tests from the npm registry, once per lock file. Returns
 * where they are; undefined without a network, except in CI, where it throws.
 */
export async function installTools(name: string): Promise<string | undefined> {
  const source = join(ROOT, name);
  const lock = await readFile(join(source, 'package-lock.json'));
  const folder = join(CACHE, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (existsSync(join(folder, 'node_modules'))) {
    return folder;
  }
  const scratch = `${folder}.${process.pid}`;
  await mkdir(scratch, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    await copyFile(join(source, file), join(scratch, file));
  }
  // `npm ci` refuses a lock file that lacks packages of other platforms, as some registries do.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--fetch-retries=1'];
  const { code, output } = await run('npm', args, { cwd: scratch });
  if (code !== 0) {
    await rm(scratch, { recursive: true, force: true });
    if (process.env['CI']) {
      throw new Error(`npm install in ${name}: ${output}`);
    }
    process.stderr.write(`\n${name} cannot be installed: ${output}\n`);
    return undefined;
  }
  // Another process may have installed them meanwhile.
  await rename(scratch, folder).catch(() => rm(scratch, { recursive: true, force: true }));
  return folder;
}

export const isHere = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
