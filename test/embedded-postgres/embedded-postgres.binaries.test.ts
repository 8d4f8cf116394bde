import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateNative, readyBinaries } from '../../src/embedded-postgres/binaries.ts';
import { serverArguments } from '../../src/embedded-postgres/server.ts';

test('missing links between the libraries are made again', async () => {
  const base = await mkdtemp(join(tmpdir(), 'frontdesk-binaries-'));
  onTestFinished(() => rm(base, { recursive: true }));
  const { native, version } = locateNative();
  const copy = join(base, 'copy');
  await cp(native, copy, { recursive: true, filter: (file) => !file.endsWith('.a') });
  const listed = await readFile(join(copy, 'pg-symlinks.json'), 'utf8');
  const links = (JSON.parse(listed) as { target: string }[]).map(({ target }) =>
    join(copy, relative('native', target)),
  );
  await Promise.all(links.map((link) => rm(link, { force: true })));
  const place = { cluster: join(base, 'unused/pg'), user: undefined };
  const binaries = await readyBinaries({ native: copy, version, ...place, log: () => {} });
  expect(binaries).toMatchObject({ postgres: join(copy, 'bin/postgres'), major: '18' });
  const found = await Promise.all(links.map((link) => stat(link)));
  expect(found.every((file) => file.isFile())).toBe(true);
});

test('a platform without binaries is told of DATABASE_URL', () => {
  expect(() => locateNative('win32-x64')).toThrow(/not available for win32-x64; set DATABASE_URL/);
});

test('a socket is made where its path is short enough, and settings of the caller win', () => {
  const argumentsOf = (cluster: string) =>
    serverArguments({ cluster, settings: { max_connections: '7' } }, 5432);
  expect(argumentsOf('/a,"b')).toContain('unix_socket_directories="/a,""b"');
  expect(argumentsOf(`/${'x'.repeat(90)}`)).toContain('unix_socket_directories=');
  expect(argumentsOf('/a').filter((text) => text.startsWith('max_'))).toEqual([
    'max_connections=7',
  ]);
});
