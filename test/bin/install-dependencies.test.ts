import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
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

const INSTALLED = 'mkdir -p node_modules; : >node_modules/.package-lock.json';
const PATIENT = { timeout: 60_000 };

const environment = () => {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH: `${programs}:${PATH}`, HOME };
};

const run = (options: { readonly uid?: number; readonly variables?: object } = {}) =>
  new Promise<{ code: number; stderr: string }>((resolve) => {
    const env = { ...environment(), ...options.variables };
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
    program('npm', `echo x >>calls; ${INSTALLED}`);
    expect((await run()).code).toBe(0);
    expect(await run()).toEqual({ code: 0, stderr: '' });
    expect(statSync(join(checkout, 'calls')).size).toBe(2);
  });

  test('refuses to empty the folder behind a link', async () => {
    program('npm', 'echo x >calls');
    const others = join(checkout, '..', 'others');
    mkdirSync(others);
    symlinkSync(others, join(checkout, 'node_modules'));
    const { code, stderr } = await run();
    expect(stderr).toBe(
      `frontdesk: node_modules is a link to ${others}, which the installation would empty; remove the link with rm node_modules, then run npm start again\n`,
    );
    expect(code).toBe(1);
    expect(existsSync(join(checkout, 'calls'))).toBe(false);
  });

  test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with npm at %s', async (signal) => {
    program('npm', 'trap "echo ended >npm; exit 1" TERM; : >npm; while :; do sleep 0.1; done');
    const installation = spawn(join(checkout, 'bin/install'), { env: environment() });
    const ended = once(installation, 'exit');
    await expect.poll(() => existsSync(join(checkout, 'npm')), PATIENT).toBe(true);
    installation.kill(signal);
    expect(await ended).toEqual([128 + constants.signals[signal], null]);
    expect(readFileSync(join(checkout, 'npm'), 'utf8')).toBe('ended\n');
  });

  test('waits for another installation, says so, and does not repeat it', async () => {
    program('npm', `echo x >>calls; until [ -e go ]; do sleep 0.1; done; ${INSTALLED}`);
    const first = run();
    await expect.poll(() => existsSync(join(checkout, 'calls')), PATIENT).toBe(true);
    const second = spawn(join(checkout, 'bin/install'), { env: environment() });
    const [said] = await once(second.stderr, 'data');
    expect(String(said)).toMatch(/^frontdesk: waiting for another installation/);
    const ended = once(second, 'exit');
    writeFileSync(join(checkout, 'go'), '');
    expect([(await first).code, await ended]).toEqual([0, [0, null]]);
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
