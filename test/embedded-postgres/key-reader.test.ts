import { execFileSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keyReader } from '../../src/embedded-postgres/key-reader.ts';

const OTHER_UID = 65_534;

test.runIf(process.getuid?.() === 0)(
  'the owner of the database can read the key of a folder that was given to them, if root runs up',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'frontdesk-given-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const cluster = join(folder, 'postgres', 'pg');
    const [lock, key] = [join(folder, 'up.lock'), join(folder, 'secret-key')];
    await mkdir(cluster, { recursive: true });
    await Promise.all([lock, key].map((file) => writeFile(file, '')));
    expect(await keyReader(folder)).toBeUndefined();
    await chown(cluster, OTHER_UID, OTHER_UID);
    expect(await keyReader(folder)).toBeUndefined();
    await chown(key, OTHER_UID, OTHER_UID);
    expect(await keyReader(folder)).toBe(
      execFileSync('id', ['-un', String(OTHER_UID)], { encoding: 'utf8' }).trim(),
    );
    // Run by that user, everything belongs together.
    await chown(lock, OTHER_UID, OTHER_UID);
    expect(await keyReader(folder)).toBeUndefined();
  },
);
