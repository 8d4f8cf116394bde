import type { Outcome } from '#core/command.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import { keyFileOf, postgresFolderOf } from '#platform/config/environment-file.ts';
import { keyReader, keyReaderFix } from '../../embedded-postgres/key-reader.ts';
import { fullDiskIn } from '../../embedded-postgres/full-disk.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../embedded-postgres/start-embedded-postgres.ts';
import type { Staying } from '../server/stay.ts';
import { openDataFolder, writeEnvironmentFile } from './data-folder.ts';
import { hasDatabase, keyOfDatabase, writtenVariables, type KeyCopy } from './data-folder-key.ts';

export interface UpStaying extends Staying {
  /** Called with the reason if the embedded database ends. */
  readonly databaseEnded: (why: string) => void;
}

/**
 * Runs only the database of a data folder, whatever its secret key is, so that sub-accounts can be
 * exported when the key is lost. Throws a Fault if the folder has no database.
 */
export async function startDatabaseOnly(folder: string, staying: UpStaying): Promise<Outcome> {
  const { environment, log, lifecycle } = staying;
  if (environment.databaseUrl !== undefined) {
    throw new UsageFault(
      '--database-only starts the database of the data folder, but DATABASE_URL is set; unset it',
    );
  }
  if (!(await hasDatabase(folder))) {
    throw new Fault('SERVICE_UNAVAILABLE', `there is no database in ${postgresFolderOf(folder)}`);
  }
  const lock = await openDataFolder(folder);
  lifecycle.onStop('data folder', () => lock.release());
  const url = await startDatabase(folder, staying);
  const key = await keyOfDatabase(folder, url, log);
  // The file may contain the last copy of the key, and the port of the last start.
  const { FRONTDESK_SECRET_KEY: _, ...written } = await writtenVariables(folder);
  const environmentFile = await writeEnvironmentFile(folder, {
    ...written,
    DATABASE_URL: url,
    FRONTDESK_FILES_DIR: environment.filesDir,
    ...(key && { FRONTDESK_SECRET_KEY: key.text }),
  });
  await lock.annotate('only its database, with --database-only');
  return {
    json: { data: folder, environmentFile, keyFile: key?.file ?? null },
    text: databaseOnlyText(folder, environmentFile, key),
  };
}

/** Printed when the database runs; the commands can be pasted into another terminal. */
export const databaseOnlyText = (
  folder: string,
  environmentFile: string,
  key: KeyCopy | undefined,
): string => `
  The database of ${folder} is running; Frontdesk is not.
  ${keyText(folder, key)}

  In another terminal, in this folder${key ? '' : ' (ID: from the list)'}:

export FRONTDESK_ENV_FILE=${environmentFile}
${key ? BACKUP_TEXT : EXPORT_TEXT}
  Press Ctrl-C to stop.
`;

const BACKUP_TEXT = `bin/frontdesk backup move.backup
bin/frontdesk backup verify move.backup

  To move to another machine: docs/install.md, "Move here from frontdesk up".`;

const EXPORT_TEXT = `bin/frontdesk admin sub-account list
bin/frontdesk admin sub-account export ID ID.frontdesk

  These two commands need no secret key. Import the files into a new
  installation: bin/frontdesk admin sub-account import FILE --without-secrets
  All steps: docs/troubleshooting.md, "The secret key is lost".`;

function keyText(folder: string, key: KeyCopy | undefined): string {
  if (!key) {
    return 'Its secret key is not in this folder.';
  }
  return key.file === keyFileOf(folder)
    ? `Its secret key is in ${key.file}: frontdesk up can start.`
    : `Its secret key is in ${key.file} (FRONTDESK_SECRET_KEY):
  copy the value to ${keyFileOf(folder)}, then start frontdesk up.`;
}

/** Starts the database of a data folder, and stops it with the process. Returns its URL. */
export async function startDatabase(folder: string, staying: UpStaying): Promise<string> {
  const { log, lifecycle } = staying;
  log.info({ folder }, 'starting PostgreSQL');
  const database = await startEmbeddedPostgres({
    dataDir: postgresFolderOf(folder),
    log: (line) => log.debug({ from: 'postgres' }, line),
  });
  lifecycle.onStop('database', () => database.stop());
  const user = await keyReader(folder);
  if (user !== undefined) {
    log.warn(
      { folder, user },
      `the data folder belongs to the user ${user}: PostgreSQL runs as ${user}, who can read the secret key; ${keyReaderFix(folder)}`,
    );
  }
  void endWith(database, folder, staying);
  return database.url;
}

/** Ends the process when its database ends. */
async function endWith(
  { exited }: EmbeddedPostgres,
  folder: string,
  { log, lifecycle, databaseEnded }: UpStaying,
) {
  const lastLines = await exited;
  const full = fullDiskIn(lastLines, folder);
  if (full === undefined) {
    log.fatal({ lastLines }, 'the embedded PostgreSQL exited');
  } else {
    log.fatal(`the embedded PostgreSQL exited: ${full}`);
  }
  const why = full ?? 'the embedded PostgreSQL exited';
  databaseEnded(`embedded PostgreSQL: ${full ?? 'it exited while starting; see the log'}`);
  lifecycle.end(1, why);
}
