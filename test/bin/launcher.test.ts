import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const flagsIn = (text = '') => text.match(/--[a-z]+(?:-[a-z]+)*(?:=\d+)?/g);

test('the image starts Node as the launcher does', () => {
  const launcher = /^exec (?:.*\\\n)*.*$/m.exec(textOf('bin/frontdesk'))?.[0];
  const image = /^ENTRYPOINT .*$/m.exec(textOf('Dockerfile'))?.[0];
  expect(flagsIn(image)).toEqual(flagsIn(launcher));
  expect(flagsIn(image)).toContain('--max-semi-space-size=16');
});

describe('the folder of compiled code, which Node runs unchecked', () => {
  let home: string;
  let cache: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'frontdesk-launcher-'));
    cache = join(home, '.cache/frontdesk');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const start = () => {
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: home, TMPDIR: join(home, 'no-such-folder') };
    return promisify(execFile)(join(ROOT, 'bin/frontdesk'), ['--version'], { env });
  };

  test('is made for its user alone, and used', async () => {
    await start();
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache)).toHaveLength(1);
  });

  test('is not used where others may read or write it', async () => {
    mkdirSync(cache, { recursive: true });
    for (const mode of [0o777, 0o770, 0o755]) {
      chmodSync(cache, mode);
      await start();
      expect(readdirSync(cache)).toEqual([]);
    }
  });

  test('is not used where it is a link', async () => {
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    mkdirSync(join(home, '.cache'));
    symlinkSync(elsewhere, cache);
    await start();
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
