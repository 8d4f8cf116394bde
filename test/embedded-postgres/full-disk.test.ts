import { expect, test } from 'vitest';
import { fullDiskIn } from '../../src/embedded-postgres/full-disk.ts';

/** As PostgreSQL 18 wrote it. */
const LOG = `LOG:  database system was interrupted while in recovery at 2026-11-23 15:38:02 UTC
HINT:  This probably means that some data is corrupted and you will have to use the last backup for recovery.
PANIC:  could not write to file "pg_wal/xlogtemp.30169": No space left on device
LOG:  startup process (PID 30169) was terminated by signal 6: Aborted`;

test('a server without disk space is explained in one line, which says what to do', () => {
  expect(fullDiskIn(LOG, '/srv/desk')).toBe(
    'no space left on the disk of /srv/desk: free some and start again; the data is not damaged',
  );
});

test('any other end of a server is left to its log', () => {
  expect(fullDiskIn(LOG.replace('No space left on device', 'Input/output error'), '/srv')).toBe(
    undefined,
  );
});
