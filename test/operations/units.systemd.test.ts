import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const UNITS = ['frontdesk-serve.service', 'frontdesk-worker.service'];

test.each(UNITS)('systemd finds %s well exposed to nobody', async (unit) => {
  const { stdout } = await promisify(execFile)('systemd-analyze', [
    'security',
    '--offline=true',
    '--no-pager',
    '--threshold=20',
    join('systemd', unit),
  ]);
  expect(stdout).toMatch(/Overall exposure level for \S+: 1\.\d OK/);
});
