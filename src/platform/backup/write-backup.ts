import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { Fault } from '#kit/fault.ts';
import { appliedMigrations, MIGRATIONS_LOCK, withClient } from '../schema-state.ts';
import { JOBS, quoted, sequencesOf, tablesOf, type Ask } from './catalogue.ts';
import { copyOut } from './copy-out.ts';
import { FORMAT, type Header, type Line, type TableHead, type Trailer } from './format.ts';
import { JOB_COLUMNS, COPY_JOBS } from './jobs.ts';
import { PATIENT, PLAIN_VALUES } from './session.ts';

const OWNER_ONLY = 0o600;
/** Half the time of the usual level, and a tenth more to store. */
const GZIP_LEVEL = 4;

export interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly takenAt: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly sha256: string;
}

/**
 * Writes what the database holds, as of one moment, while everybody goes on working. The file has its
 * name once it is whole; what had that name before stays until then.
 */
export async function writeBackup(url: string, file: string, product: string): Promise<Written> {
  const unfinished = `${file}.${process.pid}.part`;
  try {
    return await withClient(url, async (client) => {
      const ask: Ask = async (text, values = []) =>
        (await client.query(text, values as unknown[])).rows;
      const header = await begin(client, ask, product);
      const pieces = piecesOf(client, ask, header);
      let trailer: Trailer | undefined;
      const told = async function* () {
        trailer = yield* pieces;
      };
      await pipeline(
        told,
        createGzip({ level: GZIP_LEVEL }),
        createWriteStream(unfinished, { flags: 'wx', mode: OWNER_ONLY, flush: true }),
      );
      const { size: bytes } = await stat(unfinished);
      await rename(unfinished, file);
      const { rows, sha256 } = trailer as Trailer;
      return { file, bytes, takenAt: header.takenAt, rows, sha256 };
    });
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): unknown {
  const { syscall = '', message } = error as NodeJS.ErrnoException;
  return FILE_CALLS.has(syscall)
    ? new Fault('VALIDATION_ERROR', `${file} cannot be written: ${message}`)
    : error;
}

/** Of system calls, those that fail for the file's sake; the database has others. */
const FILE_CALLS = new Set(['open', 'write', 'fsync', 'close', 'rename', 'stat']);

/** From here on one moment is seen, and the schema stays as it is until the connection ends. */
async function begin(client: Client, ask: Ask, product: string): Promise<Header> {
  await client.query('select pg_advisory_lock_shared($1)', [MIGRATIONS_LOCK]);
  await client.query('begin isolation level repeatable read read only');
  await client.query(PATIENT);
  await client.query(PLAIN_VALUES);
  const [about] = await ask<Pick<Header, 'takenAt' | 'postgres' | 'keyCheck'>>(ABOUT);
  return {
    frontdeskBackup: FORMAT,
    product,
    ...(about as Omit<Header, 'frontdeskBackup' | 'product' | 'migrations'>),
    migrations: await appliedMigrations(ask),
  };
}

const ABOUT = `
  select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt",
    current_setting('server_version_num')::int as postgres,
    (select encode(key_check, 'base64') from installation) as "keyCheck"`;

async function* piecesOf(
  client: Client,
  ask: Ask,
  header: Header,
): AsyncGenerator<Buffer, Trailer> {
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  yield hashed(hash, lineOf(header));
  for (const { head, statement } of partsOf(await tablesOf(ask))) {
    yield hashed(hash, lineOf(head));
    const blocks = copyOut(client, statement);
    let block = await blocks.next();
    for (; !block.done; block = await blocks.next()) {
      yield hashed(hash, lineOf({ data: block.value.length }));
      yield hashed(hash, block.value);
    }
    rows[head.table] = block.value;
    yield hashed(hash, lineOf({ count: block.value }));
  }
  const trailer = { rows, sequences: await sequencesOf(ask), sha256: hash.digest('hex') };
  yield lineOf(trailer);
  return trailer;
}

const partsOf = (tables: readonly TableHead[]) => [
  ...tables.map((head) => ({
    head,
    statement: `copy ${quoted(head.table)} (${head.columns.map(quoted).join(', ')}) to stdout`,
  })),
  { head: { table: JOBS, columns: JOB_COLUMNS }, statement: COPY_JOBS },
];

const lineOf = (line: Line): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

function hashed(hash: Hash, bytes: Buffer): Buffer {
  hash.update(bytes);
  return bytes;
}
