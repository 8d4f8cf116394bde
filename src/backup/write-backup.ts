import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { createWriteStream, rmSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { Fault } from '#core/fault.ts';
import {
  appliedMigrations,
  MIGRATIONS_LOCK,
  withClient,
} from '#platform/database/migrate/schema-state.ts';
import { replaceFile } from '#platform/files/atomic-write.ts';
import { copyJobs, JOB_COLUMNS, JOB_OWNER } from '#platform/queue/private-tables.ts';
import {
  JOBS,
  listOf,
  ownedOf,
  ownerOf,
  quoted,
  sequencesOf,
  tablesOf,
  type Ask,
} from './catalogue.ts';
import { copyOut } from './copy.ts';
import {
  FORMAT,
  type Header,
  type Line,
  type SubAccountHead,
  type TableHead,
  type Trailer,
} from './format.ts';
import { PATIENT, PLAIN_VALUES } from './session.ts';

/** Half the time of the usual level, and a tenth more to store. */
const GZIP_LEVEL = 4;

interface WriteBackupInput {
  readonly url: string;
  readonly file: string;
  /** The release that writes. */
  readonly product: string;
  /** Whose rows, where not all are meant: the id of a sub-account. */
  readonly subAccountId?: string;
  /** Told before each table: rows so far, and the share of the tables that is done. */
  readonly onProgress?: (rows: number, share: number) => void;
}

interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly takenAt: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly sha256: string;
}

/**
 * Writes what the database holds, or what of it belongs to one sub-account, as of one moment, while
 * everybody goes on working. The file has its name once it is whole; what had that name before stays
 * until then.
 */
export const writeBackup = (wanted: WriteBackupInput): Promise<Written> =>
  withClient(wanted.url, async (client) => {
    const ask: Ask = async (text, values = []) =>
      (await client.query(text, values as unknown[])).rows;
    const header = await begin(client, ask, wanted);
    const pieces = piecesOf(client, ask, header, wanted.onProgress);
    let trailer: Trailer | undefined;
    const told = async function* () {
      trailer = yield* pieces;
    };
    const bytes = await writeWhole(wanted.file, (out) =>
      pipeline(told, createGzip({ level: GZIP_LEVEL }), out),
    );
    const { rows, sha256 } = trailer as unknown as Trailer;
    return { file: wanted.file, bytes, takenAt: header.takenAt, rows, sha256 };
  });

/** From here on one moment is seen, and the schema stays as it is until the connection ends. */
async function begin(
  client: Client,
  ask: Ask,
  { product, subAccountId }: Pick<WriteBackupInput, 'product' | 'subAccountId'>,
): Promise<Header> {
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
  await client.query('begin isolation level repeatable read read only');
  await client.query(PATIENT);
  await client.query(PLAIN_VALUES);
  const migrations = await appliedMigrations(ask);
  if (migrations.length === 0) {
    throw new Fault('VALIDATION_ERROR', 'the database was never migrated: nothing is in it yet');
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

async function* piecesOf(
  client: Client,
  ask: Ask,
  header: Header,
  onProgress: WriteBackupInput['onProgress'],
): AsyncGenerator<Buffer, Trailer> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let sum = 0;
  yield hashed(hash, lineOf(header));
  const parts = await partsOf(ask, header.subAccount?.id);
  for (const [index, { head, statement }] of parts.entries()) {
    onProgress?.(sum, index / parts.length);
    yield hashed(hash, lineOf(head));
    const blocks = copyOut(client, statement);
    let block = await blocks.next();
    for (; !block.done; block = await blocks.next()) {
      yield hashed(hash, lineOf({ data: block.value.length }));
      yield hashed(hash, block.value);
    }
    rows[head.table] = block.value;
    sum += block.value;
    yield hashed(hash, lineOf({ count: block.value }));
  }
  const trailer = { rows, sequences: await sequencesOf(ask), sha256: hash.digest('hex') };
  yield lineOf(trailer);
  return trailer;
}

async function partsOf(ask: Ask, subAccountId: string | undefined) {
  const tables = await tablesOf(ask);
  const chosen = subAccountId === undefined ? tables : ownedOf(tables);
  // COPY takes no parameters; an id that came out of the database is nothing but hex and dashes.
  const only = (owner: string) =>
    subAccountId === undefined ? 'true' : `${owner} = '${subAccountId}'`;
  return [
    ...chosen.map((head) => ({
      head,
      statement:
        subAccountId === undefined ? copyAll(head) : copySome(head, only(ownerOf(head.table))),
    })),
    { head: { table: JOBS, columns: JOB_COLUMNS }, statement: copyJobs(only(JOB_OWNER)) },
  ];
}

const copyAll = ({ table, columns }: TableHead) =>
  `copy ${quoted(table)} (${listOf(columns)}) to stdout`;

const copySome = ({ table, columns }: TableHead, condition: string) =>
  `copy (select ${listOf(columns)} from ${quoted(table)} where ${condition}) to stdout`;

const lineOf = (line: Line): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

function hashed(hash: Hash, bytes: Buffer): Buffer {
  hash.update(bytes);
  return bytes;
}

const OWNER_ONLY = 0o600;

/**
 * Writes a file that only its owner may read, and that gets its name once it is complete and on the
 * disk. Returns its size. Follows a symbolic link and replaces its target. Throws a Fault where
 * `file` is a device or a folder.
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
    throw unwritable(file, error);
  } finally {
    stopWatching();
  }
}

async function requireReplaceable(file: string, target: string): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there && !there.isFile()) {
    const what = there.isDirectory() ? 'is a folder' : 'is no file';
    throw new Fault('VALIDATION_ERROR', `${file} cannot be written: it ${what}`);
  }
}

/** A file that is not whole is of no use to anybody who ends the command. */
function removeOnSignal(path: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = () => signals.forEach((signal) => process.off(signal, onSignal));
  const onSignal = (signal: NodeJS.Signals) => {
    stop();
    rmSync(path, { force: true });
    process.kill(process.pid, signal);
  };
  signals.forEach((signal) => process.on(signal, onSignal));
  return stop;
}

function unwritable(file: string, error: unknown): unknown {
  const { syscall = '', message } = error as NodeJS.ErrnoException;
  return FILE_CALLS.has(syscall)
    ? new Fault('VALIDATION_ERROR', `${file} cannot be written: ${message}`)
    : error;
}

/** Of system calls, those that fail for the file's sake; the database has others. */
const FILE_CALLS = new Set(['open', 'write', 'fsync', 'close', 'rename', 'stat']);
