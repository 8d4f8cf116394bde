import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasCluster } from '../../src/embedded-postgres/cluster.ts';

let folder: string;
let cluster: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-cluster-'));
  cluster = join(folder, 'pg');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeCluster(): Promise<void> {
  for (const name of ['base', 'global', 'pg_wal', 'pg_xact']) {
    await mkdir(join(cluster, name), { recursive: true });
  }
  await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  await writeFile(join(cluster, 'global/pg_control'), '');
  await writeFile(`${cluster}.password`, 'secret\n');
}

test('a complete cluster is found', async () => {
  await makeCluster();
  expect(await hasCluster(cluster)).toBe(true);
});

test('there is none in a folder that is missing, empty, or has only an interrupted attempt', async () => {
  expect(await hasCluster(cluster)).toBe(false);
  await mkdir(cluster);
  expect(await hasCluster(cluster)).toBe(false);
  await mkdir(`${cluster}.new-0123`);
  await writeFile(`${cluster}.password`, 'secret\n');
  expect(await hasCluster(cluster)).toBe(false);
});

test.each(['PG_VERSION', 'global', 'base', 'pg_wal', 'pg_xact', 'global/pg_control'])(
  'a cluster that has lost %s is refused by that name, with what to do',
  async (part) => {
    await makeCluster();
    await rm(join(cluster, part), { recursive: true });
    const said = await hasCluster(cluster).catch((error: Error) => error.message);
    expect(said).toContain(`${cluster} is incomplete: ${part} is missing`);
    expect(said).toContain(`move ${folder} away`);
    expect(said).toContain('restore a backup');
  },
);

test('a password without its cluster is refused', async () => {
  await makeCluster();
  await rm(cluster, { recursive: true });
  await expect(hasCluster(cluster)).rejects.toThrow(`${cluster} is missing`);
});
