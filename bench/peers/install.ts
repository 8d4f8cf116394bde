import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder of the peers, which are no dependencies of the product. */
export const PEERS_FOLDER = import.meta.dirname;

const run = promisify(execFile);

/** Installs the peers with the first use. Throws if the registry cannot be reached. */
export async function installPeers(say: (line: string) => void): Promise<void> {
  const isInstalled = await access(join(PEERS_FOLDER, 'node_modules/.prisma/client/index.js')).then(
    () => true,
    () => false,
  );
  if (isInstalled) {
    return;
  }
  say('installing the peers (about 1 GB)…');
  const options = { cwd: PEERS_FOLDER, maxBuffer: 64 * 1_024 * 1_024 };
  // Scripts of packages would download compilers' headers and engines, which nothing here uses.
  const quiet = ['--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quiet], options);
  // Prisma would download its schema engine, which generating a client does not use.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const prisma = join(PEERS_FOLDER, 'node_modules/.bin/prisma');
  await run(prisma, ['generate', '--schema', 'schema.prisma'], { ...options, env });
}

/** Returns names of packages with their versions, such as "Express 5.3.0, Prisma 7.10.0". */
export async function versionsOf(packages: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(join(PEERS_FOLDER, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return Object.entries(packages)
    .map(([name, title]) => `${title} ${dependencies[name]}`)
    .join(', ');
}
