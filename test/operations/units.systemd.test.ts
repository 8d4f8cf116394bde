import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from './backup.support.ts';

const UNITS = ['frontdesk-serve.service', 'frontdesk-worker.service'];
const analyze = (...args: readonly string[]) => promisify(execFile)('systemd-analyze', [...args]);

test.each(UNITS)('systemd rates the exposure of %s as OK', async (unit) => {
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
  const text = await readFile(join('systemd', unit), 'utf8');
  const placed = join(await newFolder(), unit);
  await writeFile(placed, text.replaceAll('/opt/frontdesk', process.cwd()));
  const { stdout, stderr } = await analyze('verify', placed);
  // It also reads the machine's own units.
  const ofOurs = (stdout + stderr).split('\n').filter((line) => line.includes('frontdesk'));
  expect(ofOurs).toEqual([]);
});

test.each(UNITS)('%s has a watchdog, writes no core dump, and restarts forever', async (unit) => {
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
