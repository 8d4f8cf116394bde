import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { displayWidth } from '#platform/cli/display-width.ts';
import { processStart } from '#platform/process/process-lock.ts';
import { startInstallation, type Installation } from '../support/command-line.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { openTerminal } from '../support/terminal.ts';
import { withDatabase } from './backup.support.ts';

const WAIT = { timeout: 60_000, interval: 200 };

let installation: Installation;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-status-'));
  installation = await startInstallation({
    FRONTDESK_BACKUP_DIR: folder,
    FRONTDESK_FILES_DIR: join(folder, 'files'),
  });
});
afterAll(async () => {
  await installation.close();
  await rm(folder, { recursive: true, force: true });
});

const status = async (more = {}) => {
  const { code, stdout } = await frontdesk(['status', '--json'], {
    ...installation.variables,
    ...more,
  });
  const json = JSON.parse(stdout);
  const of = (name: string) => json.checks.find((one: { name: string }) => one.name === name);
  return { code, json, of };
};

describe('status', () => {
  test('exits 1 without a worker, and names the late events', async () => {
    await installation.createContact();
    await withDatabase(installation.databaseUrl, (client) =>
      client.query(`update outbox set occurred_at = now() - interval '5 min'`),
    );
    const { code, json, of } = await status();
    expect({ code, ok: json.ok }).toEqual({ code: 1, ok: false });
    expect(of('workers').status).toBe('warn');
    expect(of('events')).toMatchObject({ status: 'warn', fix: expect.any(String) });
    expect(json.events.unpublished).toBeGreaterThan(0);
    expect(Date.parse(json.events.oldest)).toBeLessThan(Date.now() - 4 * 60_000);
  });

  test('exits 1 with a secret key that is not the key of the database', async () => {
    const other = Buffer.alloc(32, 7).toString('base64');
    const { code, of } = await status({ FRONTDESK_SECRET_KEY: other });
    expect({ code, ...of('secret key') }).toMatchObject({
      code: 1,
      status: 'fail',
      message: 'FRONTDESK_SECRET_KEY is not the key of this database',
      fix: expect.stringMatching(/^it came from the environment; set the key that was used /),
    });
  });

  test('exits 1 when files cannot be stored', async () => {
    const place = join(folder, 'no-folder');
    await writeFile(place, '');
    const { code, of } = await status({ FRONTDESK_FILES_DIR: place });
    expect(code).toBe(1);
    expect(of('files')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('FILES_DIR'),
    });
  });

  test('shows version, processes, queue, lanes and checks once everything runs', async () => {
    await installation.startWorker();
    await vi.waitFor(async () => {
      const { json, of } = await status();
      expect(json.version).toMatch(/^\d+\.\d+\.\d+/);
      expect(json.processes.map(({ kind }: { kind: string }) => kind)).toEqual(['serve', 'worker']);
      expect(json.processes[1].uptimeSeconds).toBeGreaterThanOrEqual(0);
      const lanes = Object.keys(json.processes[1].lanes).sort();
      expect(lanes).toEqual(['bulk', 'default', 'files', 'imports', 'mail', 'peers']);
      expect(json.queue).toEqual({ depth: expect.any(Number), failing: 0 });
      expect(json.events).toEqual({ unpublished: 0, oldest: null });
      expect(of('workers').status).toBe('ok');
    }, WAIT);
    const { code, json, of } = await status();
    // The free disk space depends on the machine.
    const bad = json.checks.filter(
      (one: { name: string; status: string }) => one.status !== 'ok' && one.name !== 'disk',
    );
    expect(bad).toEqual([]);
    expect(code).toBe(json.ok ? 0 : 1);
    const { stdout } = await frontdesk(['status'], installation.variables);
    expect(stdout).toMatch(/^[✓⚠✗] Frontdesk \d/u);
    expect(stdout).toMatch(
      /^ {2}worker \(process \d+ on \S+\), started \d+ (?:s|min) ago; running jobs: \w+ \d/m,
    );
    expect(stdout).toMatch(/^✓ queue: \d+ jobs? due(?:, the oldest since \S+)?, 0 failing$/mu);
    expect(of('servers').status).toBe('ok');
  });

  test('fits a terminal of 80 columns', async () => {
    const terminal = openTerminal(['status'], installation.variables);
    await terminal.exited;
    expect(terminal.screen()).toContain('  worker (process ');
    expect(
      terminal
        .screen()
        .split('\n')
        .filter((line) => displayWidth(line) > 80),
    ).toEqual([]);
  });

  test('exits 1 for a late backup, and for an unavailable database', async () => {
    await writeFile(join(folder, 'frontdesk-20200101T030000Z.backup'), '');
    const late = await status();
    expect([late.code, late.of('backups').status]).toEqual([1, 'warn']);
    const { stdout } = await frontdesk(['status'], installation.variables);
    const isFailing = late.json.checks.some((one: { status: string }) => one.status === 'fail');
    expect(stdout).toMatch(
      isFailing
        ? /^✗ Frontdesk \S+: action needed \(\w.*\)$/mu
        : /^⚠ Frontdesk \S+: \d warnings? \(.*backups.*\)$/mu,
    );
    const away = await status({ DATABASE_URL: 'postgres://user@127.0.0.1:1/nowhere' });
    expect(away).toMatchObject({ code: 1, json: { ok: false, processes: [], queue: null } });
    expect(away.of('database').status).toBe('fail');
    expect(away.json.checks.map(({ name }: { name: string }) => name)).toEqual([
      'disk',
      'database',
      'files',
      'not checked',
      'backups',
    ]);
  });

  test('names a process that was killed, and that no server answers', async () => {
    const serverIn = ({ json }: Awaited<ReturnType<typeof status>>) =>
      json.processes.find(({ kind }: { kind: string }) => kind === 'serve');
    const { pid } = serverIn(await status());
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => processStart(pid), WAIT).toBe(undefined);
    const after = await status();
    expect(serverIn(after)).toMatchObject({ pid, hasDied: true });
    expect(after.of('servers')).toMatchObject({ status: 'warn', fix: 'start frontdesk serve' });
    const { stdout } = await frontdesk(['status'], installation.variables);
    expect(stdout).toMatch(/^ {2}serve \(process \d+ on \S+\) has died/m);
  });
});
