import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A checkout without dependencies, and a folder of programs that come first on the path. */
let checkout: string;
let programs: string;
beforeEach(() => {
  const base = mkdtempSync(join(tmpdir(), 'frontdesk-install-'));
  chmodSync(base, 0o755);
  checkout = join(base, 'checkout');
  programs = join(base, 'programs');
  mkdirSync(join(checkout, 'bin'), { recursive: true });
  mkdirSync(programs);
  for (const file of ['bin/install', 'package.json', 'package-lock.json']) {
    cpSync(file, join(checkout, file));
  }
});
afterEach(() => rmSync(join(checkout, '..'), { recursive: true, force: true }));

const run = (options: { readonly uid?: number; readonly variables?: object } = {}) =>
  new Promise<{ code: number; stderr: string }>((resolve) => {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH: `${programs}:${PATH}`, HOME, ...options.variables };
    const { uid } = options;
    const user = uid === undefined ? {} : { uid, gid: uid };
    execFile(join(checkout, 'bin/install'), { env, ...user }, (error, _, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stderr });
    });
  });

const program = (name: string, text: string) =>
  writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

describe('installing the dependencies', () => {
  test('without a network ends with one line that says what to do, and no stack trace', async () => {
    const { code, stderr } = await run({
      variables: {
        npm_config_registry: 'http://127.0.0.1:9',
        npm_config_cache: join(checkout, 'cache'),
      },
    });
    expect(stderr.split('\n').filter(Boolean)).toEqual([
      expect.stringMatching(/^frontdesk: installing dependencies/),
      'frontdesk: could not download the dependencies (ECONNREFUSED); check the network or proxy, then run npm start again',
    ]);
    expect(code).toBe(1);
  });

  test('that fails for another reason shows what npm wrote', async () => {
    program('npm', 'echo "npm error code EUSAGE" >&2; exit 7');
    const { code, stderr } = await run();
    expect(stderr).toContain('npm error code EUSAGE');
    expect(stderr).toContain(
      'frontdesk: could not install the dependencies: npm ci ended with exit code 7',
    );
    expect(code).toBe(1);
  });

  test('happens once, until package-lock.json is newer', async () => {
    program('npm', 'mkdir -p node_modules; echo x >>calls; : >node_modules/.package-lock.json');
    expect((await run()).code).toBe(0);
    expect(await run()).toEqual({ code: 0, stderr: '' });
    expect(statSync(join(checkout, 'calls')).size).toBe(2);
  });

  test('without npm says what to install', async () => {
    for (const name of ['sh', 'dirname', 'id']) {
      symlinkSync(`/usr/bin/${name}`, join(programs, name));
    }
    const { code, stderr } = await run({ variables: { PATH: programs } });
    expect(stderr).toMatch(/^frontdesk: npm is missing; install Node\.js.*\n$/);
    expect(code).toBe(1);
  });

  // Root may write everywhere, so another user runs it; other users own nothing here either way.
  test('in a checkout of another user names the folder and the user', async () => {
    chmodSync(checkout, 0o555);
    const { code, stderr } = await run(process.getuid?.() === 0 ? { uid: 65_534 } : {});
    expect(stderr).toMatch(
      /^frontdesk: cannot install the dependencies: \/.*checkout is not writable by user \S+; run bin\/install as the user who owns it\n$/,
    );
    expect(code).toBe(1);
    chmodSync(checkout, 0o755);
    expect(existsSync(join(checkout, '.install.lock'))).toBe(false);
  });
});
