import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from './backup.support.ts';

const DAEMONS = ['frontdesk-serve.service', 'frontdesk-worker.service'];
const SERVICES = [...DAEMONS, 'frontdesk-backup.service'];
const UNITS = [...SERVICES, 'frontdesk-backup.timer'];
const analyze = (...args: readonly string[]) => promisify(execFile)('systemd-analyze', [...args]);

test.each(SERVICES)('systemd rates the exposure of %s as OK', async (unit) => {
  const { stdout } = await analyze(
    'security',
    '--offline=true',
    '--no-pager',
    '--threshold=20',
    join('systemd', unit),
  );
  expect(stdout).toMatch(/Overall exposure level for \S+: 1\.\d OK/);
});

test.each(UNITS)('systemd accepts every line of %s', async (unit) => {
  const folder = await newFolder();
  // A timer is verified with the service that it starts.
  for (const name of UNITS) {
    const text = await readFile(join('systemd', name), 'utf8');
    await writeFile(join(folder, name), text.replaceAll('/opt/frontdesk', process.cwd()));
  }
  const { stdout, stderr } = await analyze('verify', join(folder, unit));
  // It also reads the machine's own units.
  const ofOurs = (stdout + stderr).split('\n').filter((line) => line.includes('frontdesk'));
  expect(ofOurs).toEqual([]);
});

test.each(DAEMONS)('%s has a watchdog, writes no core dump, and restarts forever', async (unit) => {
  const lines = (await readFile(join('systemd', unit), 'utf8')).split('\n');
  for (const setting of [
    'WatchdogSec=30',
    'LimitCORE=0',
    'StartLimitIntervalSec=0',
    'Restart=on-failure',
  ]) {
    expect(lines).toContain(setting);
  }
});

test('the timer runs one backup every night, also after the machine was off at that time', async () => {
  const timer = (await readFile('systemd/frontdesk-backup.timer', 'utf8')).split('\n');
  expect(timer).toEqual(
    expect.arrayContaining(['OnCalendar=*-*-* 03:00', 'Persistent=true', 'WantedBy=timers.target']),
  );
  const { stdout } = await analyze('calendar', '*-*-* 03:00');
  expect(stdout).toContain('Normalized form: *-*-* 03:00:00');
  const service = (await readFile('systemd/frontdesk-backup.service', 'utf8')).split('\n');
  expect(service).toEqual(
    expect.arrayContaining([
      'Type=oneshot',
      'ExecStart=/opt/frontdesk/bin/frontdesk backup scheduled',
      'LimitCORE=0',
    ]),
  );
  expect(service).not.toContain('[Install]');
});
