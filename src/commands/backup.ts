import { defineCommand, type Outcome, type Switches } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { printable } from '#platform/cli/printable.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { checkBackup, checkBackupStream, nameOf, requireItsKey } from '../backup/check-backup.ts';
import { takeScheduledBackup } from '../backup/scheduled-backup.ts';
import { streamBackup, writeBackup } from '../backup/write-backup.ts';
import type { FileStore } from '#core/files.ts';
import { counted } from '#lib/counted.ts';
import { openFileStore, type StorageError } from '#platform/files/storage/file-store.ts';
import type { StorageSettings } from '#platform/files/storage/storage.ts';
import { reasonOf } from '#platform/process/system-error.ts';
import { NO_FILES, type FileTotals } from '../backup/format.ts';
import { version } from '#platform/process/version.ts';

const take = defineCommand()({
  path: 'backup',
  summary: 'Back up the database to a file, or with - to standard output, without downtime',
  arguments: ['file'],
  examples: [
    'frontdesk backup /srv/backups/frontdesk.backup',
    'frontdesk backup frontdesk.backup --json',
    'frontdesk backup - | ssh backups@example.com "cat > frontdesk.backup"',
  ],
  context: 'none',
  async run(_, { file }, switches) {
    return runBackup(file, switches);
  },
});

const verify = defineCommand()({
  path: 'backup verify',
  summary: 'Verify a backup file, or a pipe with -; needs no database',
  arguments: ['file'],
  examples: ['frontdesk backup verify /srv/backups/frontdesk.backup', 'frontdesk backup verify -'],
  context: 'none',
  async run(_, { file }) {
    return runVerify(file);
  },
});

const scheduled = defineCommand()({
  path: 'backup scheduled',
  summary: 'Write a verified backup to FRONTDESK_BACKUP_DIR and remove the oldest; for timers',
  examples: [
    'frontdesk backup scheduled',
    'FRONTDESK_BACKUP_DIR=/srv/backups FRONTDESK_BACKUP_KEEP=30 frontdesk backup scheduled --json',
  ],
  context: 'none',
  async run(_, __, switches) {
    return runScheduled(switches);
  },
});

export const backupCommands = [take, verify, scheduled];

async function runBackup(file: string, switches: Switches): Promise<Outcome> {
  const environment = processEnvironment(['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl, secretKey } = environment;
  const isPipe = file === PIPE;
  if (isPipe) {
    requirePipe(switches);
  } else {
    requireFile(file);
  }
  const bar = openProgressBar(switches);
  const files = filesOf(environment);
  const secrets = secretKey && secretsOf(secretKey);
  const input = { url, product: version(), files, secrets, onProgress: bar.update };
  const written = await (
    isPipe ? streamBackup(input, process.stdout) : writeBackup({ ...input, file })
  ).finally(bar.clear);
  const { bytes, takenAt, rows, keyMatches } = written;
  const aboutKey =
    keyMatches === false
      ? 'FRONTDESK_SECRET_KEY is not the key of this database: do not keep it as the key of this backup.'
      : 'The backup does not contain FRONTDESK_SECRET_KEY, which decrypts its credentials: keep a copy of the key elsewhere.';
  const text = `wrote ${isPipe ? 'to standard output' : file}: ${sumOf(rows)} rows of ${Object.keys(rows).length} tables${filesText(written.files)} as of ${takenAt}, ${bytes} bytes
${aboutKey}`;
  if (isPipe) {
    process.stderr.write(`${printable(text)}\n`);
    return { json: written, isWritten: true };
  }
  return { json: written, text };
}

export const PIPE = '-';

/** Throws a UsageFault where a backup on standard output would be useless or mixed with other output. */
export function requirePipe({ json }: Switches): void {
  if (json) {
    throw new UsageFault('--json and - both write to standard output; name a file');
  }
  if (process.stdout.isTTY) {
    throw new UsageFault(
      'a backup cannot be written to a terminal: name a file, or redirect standard output',
    );
  }
}

async function runScheduled(switches: Switches): Promise<Outcome> {
  const environment = processEnvironment(['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl, secretKey } = environment;
  const bar = openProgressBar(switches);
  const written = await takeScheduledBackup({
    url,
    folder: environment.backupDir,
    keep: environment.backupKeep,
    product: version(),
    files: filesOf(environment),
    secrets: secretKey && secretsOf(secretKey),
    now: new Date(),
    onProgress: bar.update,
  }).finally(bar.clear);
  const { file, rows, takenAt, bytes, removed } = written;
  const lines = [
    `wrote and verified ${file}: ${sumOf(rows)} rows${filesText(written.files)} as of ${takenAt}, ${bytes} bytes`,
    ...removed.map((path) => `removed ${path}`),
  ];
  return { json: written, text: lines.join('\n') };
}

/** Throws a UsageFault for no name. */
export function requireFile(file: string): void {
  if (file === '' || file === '-') {
    throw new UsageFault('name a file: a backup cannot be written to standard output');
  }
}

async function runVerify(file: string): Promise<Outcome> {
  const { secretKey } = processEnvironment();
  const isPipe = file === PIPE;
  if (isPipe && process.stdin.isTTY) {
    throw new UsageFault('a backup cannot be read from a terminal: name a file, or pipe one in');
  }
  const name = isPipe ? 'standard input' : file;
  const { header, trailer } = await (isPipe
    ? checkBackupStream(name, process.stdin)
    : checkBackup(file));
  if (secretKey) {
    requireItsKey(name, header, secretsOf(secretKey));
  }
  const { product, takenAt, migrations, subAccount = null } = header;
  const { rows, sha256, files } = trailer;
  return {
    json: {
      file,
      product,
      takenAt,
      schema: migrations.at(-1) ?? null,
      subAccount,
      rows,
      sha256,
      ...(files && { files }),
    },
    text: `${name} is complete: ${sumOf(rows)} rows${filesText(files)}${subAccount ? ` of the sub-account ${nameOf(subAccount)}` : ''} as of ${takenAt}, written by Frontdesk ${product}${secretKey ? '; FRONTDESK_SECRET_KEY decrypts its secrets' : ''}`,
  };
}

/** Opens the storage of the environment. Its errors are written to standard error. */
export const filesOf = (environment: StorageSettings): FileStore =>
  openFileStore(environment, { warn: showStorageError });

function showStorageError({ err, storage }: StorageError, message: string): void {
  process.stderr.write(`${printable(`${message}: ${storage}: ${reasonOf(err)}`)}\n`);
}

/** Names the contents of files, and warns of missing ones. */
export function filesText({ count, missing }: FileTotals = NO_FILES): string {
  const warning = missing > 0 ? ` (${counted(missing, 'other')} missing in the storage)` : '';
  return count + missing > 0 ? ` and ${counted(count, 'file')}${warning}` : '';
}

export const sumOf = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0);
