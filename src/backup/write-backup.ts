import { createWriteStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { Fault } from '#core/fault.ts';
import {
  appliedMigrations,
  MIGRATIONS_LOCK,
  withClient,
} from '#platform/database/migrate/schema-state.ts';
import { replaceFile, writeRefusal } from '#platform/files/atomic-write.ts';
import { removeOnSignal } from '#platform/files/remove-on-signal.ts';
import type { Secrets } from '#core/secrets.ts';
import { isItsKey } from './check-backup.ts';
import {
  FORMAT,
  NO_FILES,
  type FileTotals,
  type Header,
  type SubAccountHead,
  type Trailer,
} from './format.ts';
import { askerOf, prepareToCopy, type Ask } from './session.ts';
import { snapshotPieces, type PiecesInput } from './snapshot-pieces.ts';

/** Half the time of the default level 6, for files that are a tenth larger. */
const GZIP_LEVEL = 4;

interface WriteBackupInput extends PiecesInput {
  readonly url: string;
  readonly file: string;
  /** The release that writes. */
  readonly product: string;
  /** To say whether this is the key that decrypts the backup. */
  readonly secrets?: Secrets | undefined;
  /** Writes only the rows of this sub-account. */
  readonly subAccountId?: string;
}

export interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly takenAt: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly sha256: string;
  readonly files: FileTotals;
  /** Whether the given secret key is that of the database; null if none is given. */
  readonly keyMatches: boolean | null;
}

/**
 * Writes one snapshot of the database, or of one sub-account, without locking anything out. The file
 * appears under its name once it is complete; an older file of that name stays until then.
 */
export const writeBackup = (input: WriteBackupInput): Promise<Written> =>
  withSnapshot(input, async (writeTo) => {
    const bytes = await writeWhole(input.file, writeTo);
    return { file: input.file, bytes };
  });

/**
 * Writes a backup to a stream, which stays open. Its trailer is the footer that `backup verify -` checks.
 * Throws a Fault if the reader ends first.
 */
export const streamBackup = (
  input: Omit<WriteBackupInput, 'file'>,
  out: Writable,
): Promise<Written> =>
  withSnapshot(input, async (writeTo) => {
    let bytes = 0;
    const counted = new PassThrough();
    counted.on('data', (chunk: Buffer) => (bytes += chunk.length));
    try {
      await Promise.all([writeTo(counted), pipeline(counted, out, { end: false })]);
      // Settles once everything before it is written.
      await new Promise<void>((resolve, reject) => {
        out.write('', (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      throw unstreamed(error);
    }
    return { file: '-', bytes };
  });

/** An error of the stream, such as EPIPE or a full disk behind a redirection. */
function unstreamed(error: unknown): unknown {
  const { code = '', syscall = '', message } = error as NodeJS.ErrnoException;
  if (code === 'EPIPE' || code.startsWith('ERR_STREAM_')) {
    return new Fault(
      'VALIDATION_ERROR',
      'standard output was closed before the backup was complete: do not use what was written',
    );
  }
  return syscall === 'write'
    ? new Fault('VALIDATION_ERROR', `standard output cannot be written: ${message}`)
    : error;
}

/** Opens the snapshot, and completes what `write` returns with its time, rows and checksum. */
const withSnapshot = (
  input: Omit<WriteBackupInput, 'file'>,
  write: (writeTo: (out: Writable) => Promise<void>) => Promise<Pick<Written, 'file' | 'bytes'>>,
): Promise<Written> =>
  withClient(input.url, async (client) => {
    const ask = askerOf(client);
    const header = await begin(client, ask, input);
    let trailer: Trailer | undefined;
    const written = await write((out) =>
      pipeline(
        async function* () {
          trailer = yield* snapshotPieces(client, ask, header, input);
        },
        createGzip({ level: GZIP_LEVEL }),
        out,
      ),
    );
    const { rows, sha256, files = NO_FILES } = trailer as unknown as Trailer;
    const keyMatches = input.secrets ? isItsKey(header, input.secrets) : null;
    return { ...written, takenAt: header.takenAt, rows, sha256, files, keyMatches };
  });

/** Takes the snapshot. Migrations wait until the connection is closed. */
async function begin(
  client: Client,
  ask: Ask,
  { product, subAccountId }: Pick<WriteBackupInput, 'product' | 'subAccountId'>,
): Promise<Header> {
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
  // One connection per node of a cluster: each has a snapshot of its own. Elsewhere it has no effect.
  await client.query('set citus.max_adaptive_executor_pool_size = 1');
  await client.query('begin isolation level repeatable read read only');
  await prepareToCopy(client);
  const migrations = await appliedMigrations(ask);
  if (migrations.length === 0) {
    throw new Fault(
      'VALIDATION_ERROR',
      'the database was never migrated, so there is nothing to back up; check DATABASE_URL',
    );
  }
  const [about] = await ask<Pick<Header, 'takenAt' | 'postgres' | 'keyCheck'>>(ABOUT);
  const subAccount = subAccountId === undefined ? undefined : await headOf(ask, subAccountId);
  return {
    frontdeskBackup: FORMAT,
    product,
    ...(about as Omit<Header, 'frontdeskBackup' | 'product' | 'migrations'>),
    ...(subAccount && { subAccount }),
    migrations,
  };
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const ABOUT = `
  select to_char(now() at time zone 'UTC', ${ISO}) as "takenAt",
    current_setting('server_version_num')::int as postgres,
    (select encode(key_check, 'base64') from installation) as "keyCheck"`;

async function headOf(ask: Ask, id: string): Promise<SubAccountHead> {
  const [head] = await ask<SubAccountHead>(SUB_ACCOUNT, [id]);
  if (!head) {
    throw new Fault('NOT_FOUND', `there is no sub-account ${id}`);
  }
  return head;
}

const SUB_ACCOUNT = `
  select id, name, to_char(deleted_at at time zone 'UTC', ${ISO}) as "deletedAt"
  from sub_accounts where id = $1`;

const OWNER_ONLY = 0o600;

/**
 * Writes a file that only its owner can read. It gets its name once it is complete and on the disk.
 * Follows a symbolic link and replaces its target. Returns the size. Throws a Fault for a device or
 * folder.
 */
async function writeWhole(file: string, write: (out: Writable) => Promise<void>): Promise<number> {
  const target = await realpath(file).catch(() => file);
  await requireReplaceable(file, target);
  let size = 0;
  let stopWatching = () => {};
  try {
    await replaceFile(target, async (draft) => {
      stopWatching = removeOnSignal(draft);
      await write(createWriteStream(draft, { flags: 'wx', mode: OWNER_ONLY, flush: true }));
      size = (await stat(draft)).size;
    });
    return size;
  } catch (error) {
    throw writeRefusal(file, error);
  } finally {
    stopWatching();
  }
}

async function requireReplaceable(file: string, target: string): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there && !there.isFile()) {
    const what = there.isDirectory() ? 'a folder' : 'a device or pipe';
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} cannot be written: it is ${what}; name a regular file`,
    );
  }
}
