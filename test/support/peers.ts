import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Peer {
  /** Test files that need it are named `*.<name>.test.ts`. */
  readonly name: string;
  readonly programs: readonly string[];
  readonly what: string;
}

const PEERS: readonly Peer[] = [
  {
    name: 'chromium',
    programs: [process.env['CHROMIUM'] ?? 'chromium', 'chromium-browser', 'google-chrome'],
    what: 'what browsers load is not tested: install the Debian package chromium',
  },
  {
    name: 'dovecot',
    programs: ['/usr/sbin/dovecot'],
    what: 'reading mailboxes is not tested: install the Debian package dovecot-imapd',
  },
  {
    name: 'radicale',
    programs: ['radicale'],
    what: 'calendars by CalDAV are not tested: install the Debian package radicale',
  },
  {
    name: 'postgres15',
    programs: ['/usr/lib/postgresql/15/bin/postgres'],
    what: 'backups between versions are not tested: install the Debian package postgresql-15',
  },
  {
    name: 'pgbouncer',
    programs: ['/usr/sbin/pgbouncer'],
    what: 'life behind a pooler is not tested: install the Debian package pgbouncer',
  },
  {
    name: 'git',
    programs: ['git'],
    what: 'releases are not tested: install git',
  },
  {
    name: 'systemd',
    programs: ['systemd-analyze'],
    what: 'the units are not analysed: install the Debian package systemd',
  },
];

/**
 * Returns patterns of the test files that this machine cannot run, and prints what is left out. In
 * CI the programs are required: .ci/run installs them.
 */
export function untestable(): readonly string[] {
  const missing = PEERS.filter(({ programs }) => !programs.some(isThere));
  const message = missing.map(({ what }) => what).join('\n');
  if (message && process.env['CI']) {
    throw new Error(message);
  }
  if (message) {
    process.stderr.write(`\n${message}\n\n`);
  }
  return missing.map(({ name }) => `test/**/*.${name}.test.ts`);
}

const isThere = (program: string): boolean =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => existsSync(program.startsWith('/') ? program : join(folder, program)));
