import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Peer {
  /** Test files that need it are named `*.<name>.test.ts`. */
  readonly name: string;
  readonly programs: readonly string[];
  readonly what: string;
  /** Debian does not package it, so CI may be without it. */
  readonly isOptional?: boolean;
}

const PEERS: readonly Peer[] = [
  {
    name: 'chromium',
    programs: [
      process.env['CHROMIUM'] ?? 'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
    ],
    what: 'what browsers load is not tested: install the Debian package chromium-headless-shell',
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
    name: 'citus',
    programs: ['/usr/lib/postgresql/15/lib/citus.so'],
    what: 'life on several nodes is not tested: install the extension citus for PostgreSQL 15',
    isOptional: true,
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
  if (process.env['CI'] && missing.some(({ isOptional }) => !isOptional)) {
    throw new Error(message);
  }
  if (message) {
    process.stderr.write(`\n${message}\n\n`);
  }
  return missing.map(({ name }) => `test/**/*.${name}.test.ts`);
}

/** Returns whether a test file needs a peer that is missing and that CI may be without. */
export const isLeftOut = (file: string): boolean =>
  PEERS.some(
    ({ name, programs, isOptional }) =>
      isOptional && file.endsWith(`.${name}.test.ts`) && !programs.some(isThere),
  );

const isThere = (program: string): boolean =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => existsSync(program.startsWith('/') ? program : join(folder, program)));
