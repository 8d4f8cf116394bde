import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from './backup.support.ts';

const UNITS = ['frontdesk-serve.service', 'frontdesk-worker.service'];
const analyze = (...args: readonly string[]) => promisify(execFile)('systemd-analyze', [...args]);

test.each(UNITS)('systemd finds %s well exposed to nobody', async (unit) => {
  const { stdout } = await analyze(
    'security',
    '--offline=true',
    '--no-pager',
    '--threshold=20',
    join('systemd', unit),
  );
  expect(stdout).toMatch(/Overall exposure level for \S+: 1\.\d OK/);
});

test.each(UNITS)('systemd finds nothing in %s that it does not understand', async (unit) => {
  const text = await readFile(join('systemd', unit), 'utf8');
  const placed = join(await newFolder(), unit);
  await writeFile(placed, text.replaceAll('/opt/frontdesk', process.cwd()));
  const { stdout, stderr } = await analyze('verify', placed);
  // It reads the units of the machine beside ours.
  const ofOurs = (stdout + stderr).split('\n').filter((line) => line.includes('frontdesk'));
  expect(ofOurs).toEqual([]);
});

test.each(UNITS)('%s is watched, keeps no core, and never gives up', async (unit) => {
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
