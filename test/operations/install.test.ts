import { execFile } from 'node:child_process';
import {
  cp,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hiddenRefusal } from '../../src/operations/install/steps.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { newFolder } from './backup.support.ts';

const SERVICES = [
  'frontdesk-serve.service',
  'frontdesk-worker.service',
  'frontdesk-backup.service',
];
const UNITS = [...SERVICES, 'frontdesk-backup.timer'];

const ran = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await frontdesk([...args, '--json'], {});
  return { code, stderr, json: stdout ? JSON.parse(stdout) : undefined };
};

/** The lines of a unit without comments and blanks. */
const settingsOf = (unit: string): string[] =>
  unit.split('\n').filter((line) => /^[A-Z]\w*=/.test(line));

describe('install', () => {
  test('--dry-run prints the complete units for this checkout, and changes nothing', async () => {
    const root = await newFolder();
    const { code, stdout } = await frontdesk(['install', '--dry-run', '--root', root], {});
    expect(code).toBe(0);
    for (const unit of UNITS) {
      const text = await readFile(join('systemd', unit), 'utf8');
      expect(stdout).toContain(text.replaceAll('/opt/frontdesk', process.cwd()));
    }
    expect(await readdir(root)).toEqual([]);
  });

  test('--dry-run in a checkout that services cannot reach shows the steps and the refusal of the real run', async () => {
    const checkout = await newFolder();
    for (const name of [
      'bin',
      'src',
      'migrations',
      'systemd',
      'package.json',
      'package-lock.json',
    ]) {
      await cp(name, join(checkout, name), { recursive: true });
    }
    await symlink(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
    const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
      const { PATH = '', HOME = '' } = process.env;
      const program = join(checkout, 'bin/frontdesk.ts');
      execFile(
        process.execPath,
        [program, 'install', '--dry-run'],
        { env: { PATH, HOME } },
        (error, stdout) => resolve({ code: error ? Number(error.code) : 0, said: stdout }),
      );
    });
    expect(said).toMatch(
      /^install would refuse: .* where a service cannot reach it: move it to \/opt\/frontdesk/,
    );
    expect(said).toContain('would do: folder /etc/frontdesk');
    expect(code).toBe(0);
  });

  test.each([
    ['/root/frontdesk', true],
    ['/home/ada/frontdesk', true],
    ['/tmp/frontdesk', true],
    ['/opt/my frontdesk', true],
    ['/opt/frontdesk', false],
    ['/srv/frontdesk-0.1.0', false],
  ])('refuses the checkout %s: %s', (path, isRefused) => {
    expect(hiddenRefusal(path) !== undefined).toBe(isRefused);
  });

  test('installs settings, key and units; a repeat keeps the changes of the operator', async () => {
    const root = await newFolder();
    const first = await ran('install', '--root', root);
    expect(first).toMatchObject({ code: 0, json: { unchanged: [] } });
    const settings = join(root, 'etc/frontdesk');
    const key = join(settings, 'secret-key');
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect([await modeOf(settings), await modeOf(key)]).toEqual([0o750, 0o600]);
    expect(Buffer.from(await readFile(key, 'utf8'), 'base64').length).toBe(32);
    const unit = join(root, 'etc/systemd/system', UNITS[0] ?? '');
    expect(await readFile(unit, 'utf8')).toContain(
      `ExecStart=${process.cwd()}/bin/frontdesk serve`,
    );

    const before = await readFile(key, 'utf8');
    await writeFile(join(settings, 'frontdesk.env'), 'FRONTDESK_PORT=1\n');
    await writeFile(unit, 'old');
    const second = await ran('install', '--root', root);
    expect(second).toMatchObject({ code: 0, json: { done: [`file ${unit}`] } });
    expect(await readFile(key, 'utf8')).toBe(before);
    expect(await readFile(join(settings, 'frontdesk.env'), 'utf8')).toBe('FRONTDESK_PORT=1\n');
    expect(await ran('install', '--root', root)).toMatchObject({ code: 0, json: { done: [] } });
  });

  test('uninstall asks, removes the units and leaves settings and key', async () => {
    const root = await newFolder();
    await ran('install', '--root', root);
    expect(await ran('uninstall', '--root', root)).toMatchObject({ code: 2 });
    const removed = await ran('uninstall', '--root', root, '--yes');
    expect(removed).toMatchObject({ code: 0, json: { done: { length: 9 } } });
    expect(await readdir(join(root, 'etc/systemd/system'))).toEqual([]);
    expect(await readdir(join(root, 'etc/frontdesk'))).toEqual(['frontdesk.env', 'secret-key']);
    expect(await ran('uninstall', '--root', root, '--yes')).toMatchObject({
      code: 0,
      json: { done: [] },
    });
  });
});

describe('in shells', () => {
  const COMMAND = 'usr/local/bin/frontdesk';
  const READABLE = {
    'usr/local/share/man/man1/frontdesk.1': '.TH FRONTDESK 1',
    'usr/local/share/bash-completion/completions/frontdesk': 'complete -F _frontdesk frontdesk',
    'usr/local/share/zsh/site-functions/_frontdesk': '#compdef frontdesk',
    'etc/fish/completions/frontdesk.fish': 'complete -c frontdesk',
  };
  const PATHS = [COMMAND, ...Object.keys(READABLE)];

  test('installs the command, its man page and completions for all users', async () => {
    const root = await newFolder();
    const { json } = await ran('install', '--root', root);
    expect(await readlink(join(root, COMMAND))).toBe(join(process.cwd(), 'bin/frontdesk'));
    expect(json.done).toContain(`link ${join(root, COMMAND)} to ${process.cwd()}/bin/frontdesk`);
    for (const [path, text] of Object.entries(READABLE)) {
      expect(json.done).toContain(`file ${join(root, path)}`);
      expect(await readFile(join(root, path), 'utf8')).toContain(text);
      expect((await stat(join(root, path))).mode & 0o777).toBe(0o644);
      expect((await stat(dirname(join(root, path)))).mode & 0o777).toBe(0o755);
    }
  });

  test('--dry-run lists them; outdated ones are replaced; uninstall removes them', async () => {
    const root = await newFolder();
    const { stdout } = await frontdesk(['install', '--dry-run', '--root', root], {});
    for (const path of PATHS) {
      expect(stdout).toMatch(new RegExp(`^would do: (?:link|file) ${join(root, path)}\\b`, 'm'));
    }
    await ran('install', '--root', root);
    for (const path of Object.keys(READABLE)) {
      await writeFile(join(root, path), 'of an older release');
    }
    await rm(join(root, COMMAND));
    await symlink('/opt/older/bin/frontdesk', join(root, COMMAND));
    const { json } = await ran('install', '--root', root);
    expect(json.done).toHaveLength(PATHS.length);
    expect(await readlink(join(root, COMMAND))).toBe(join(process.cwd(), 'bin/frontdesk'));
    await ran('uninstall', '--root', root, '--yes');
    for (const path of PATHS) {
      await expect(lstat(join(root, path))).rejects.toThrow('ENOENT');
    }
  });

  test('keeps a command that it did not install', async () => {
    const root = await newFolder();
    await mkdir(join(root, 'usr/local/bin'), { recursive: true });
    await writeFile(join(root, COMMAND), '#!/bin/sh');
    expect((await ran('install', '--root', root)).code).toBe(0);
    expect((await ran('uninstall', '--root', root, '--yes')).code).toBe(0);
    expect(await readFile(join(root, COMMAND), 'utf8')).toBe('#!/bin/sh');
  });
});

describe('the units', () => {
  test.each(SERVICES)(
    '%s: every setting has a reason above it, and hardening is on',
    async (unit) => {
      const text = await readFile(join('systemd', unit), 'utf8');
      const [, service = ''] = text.split('[Service]');
      const hardened = settingsOf(service.split('WorkingDirectory')[1] ?? '');
      for (const setting of [
        'NoNewPrivileges=yes',
        'ProtectSystem=strict',
        'ProtectHome=yes',
        'UMask=0077',
      ]) {
        expect(hardened).toContain(setting);
      }
      expect(settingsOf(service)).toContain('LoadCredential=secret-key:/etc/frontdesk/secret-key');
      expect(service).not.toMatch(/^Environment=FRONTDESK_SECRET_KEY=/m);
    },
  );
});

describe('secrets', () => {
  test('can be read from files named by NAME_FILE', async () => {
    const file = join(await newFolder(), 'url');
    await writeFile(file, 'postgres://user@127.0.0.1:1/nowhere\n');
    const { code, stdout } = await frontdesk(['doctor', '--json'], { DATABASE_URL_FILE: file });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).checks).toContainEqual(
      expect.objectContaining({ name: 'database', status: 'fail' }),
    );
    const missing = await frontdesk(['doctor'], { DATABASE_URL_FILE: `${file}-not-there` });
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('DATABASE_URL_FILE is');
  });
});
