import { execFile, type ExecFileException } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** A foreign project into which the package is installed with npm. */
export interface Project {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  node(name: string, variables?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Runs another program in the folder. */
  run(
    program: string,
    args: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ): Promise<Ran>;
  /** Type-checks strictly, including the package's types. */
  compile(moduleResolution: 'nodenext' | 'bundler'): Promise<Ran>;
}

interface Ran {
  readonly code: number;
  /** The output. */
  readonly said: string;
}

/** Packs the files of `npm publish` as `npm pack` does, and installs them without the network. */
export async function startProject(): Promise<Project> {
  const base = await mkdtemp(join(tmpdir(), 'frontdesk-sdk-'));
  const folder = join(base, 'project');
  await mkdir(folder);
  const npm = { npm_config_cache: join(base, 'cache'), npm_config_offline: 'true', HOME: base };
  // A copy, because several test files pack at once.
  await cp(join(ROOT, 'sdk'), join(base, 'sdk'), { recursive: true });
  await cp(join(ROOT, 'tsconfig.json'), join(base, 'tsconfig.json'));
  await symlink(join(ROOT, 'node_modules'), join(base, 'node_modules'));
  await succeed('npm', ['pack', '--pack-destination', base], join(base, 'sdk'), npm);
  const packed = (await readdir(base)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(folder, 'package.json'), '{"type": "module", "private": true}');
  await succeed('npm', ['install', '--no-audit', '--no-fund', join(base, packed)], folder, npm);
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    node: (name, variables) => run(process.execPath, [name], folder, variables),
    run: (program, args, variables) => run(program, args, folder, variables),
    async compile(moduleResolution) {
      const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
      const options = { ...STRICT, module, moduleResolution };
      const config = { compilerOptions: options, include: ['*.ts'] };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      return run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], folder);
    },
  };
}

const STRICT = {
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};

async function succeed(...command: Parameters<typeof run>): Promise<void> {
  const { code, said } = await run(...command);
  if (code !== 0) {
    throw new Error(`${command[0]} ${command[1].join(' ')}: ${said}`);
  }
}

const run = (
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Ran> =>
  new Promise((done) => {
    const env = { PATH: process.env['PATH'] ?? '', ...variables };
    execFile(program, args, { cwd, env }, (error: ExecFileException | null, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 1) : 0, said: stdout + stderr });
    });
  });
