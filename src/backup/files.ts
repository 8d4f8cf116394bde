import type { Client } from 'pg';
import { readWhole, type FileKey, type FileStore } from '#core/files.ts';
import { sleep } from '#lib/abort.ts';
import { withClient } from '#platform/database/migrate/schema-state.ts';
import { nameOfSource, type SourceFile } from '#platform/files/source-file.ts';
import { FILE_DELETIONS_TABLE, isNotTaken } from '#platform/files/storage/storage.ts';
import { Altered, mapBackupError } from './explain.ts';
import type { FileHead, FileTotals, TableHead } from './format.ts';
import { readBackup } from './read-backup.ts';
import type { Ask } from './session.ts';

const FILES_TABLE = 'files';

/** How many contents one query names. */
const PAGE = 1_000;

/** Far above FRONTDESK_FILES_MAX_MB: one content is in memory at a time. */
const CONTENT_MAX = 256 * 1024 * 1024;

/** A content for the backup. */
export interface FileContent {
  readonly head: FileHead;
  readonly bytes: Buffer;
}

const hasFiles = (tables: readonly TableHead[]): boolean =>
  tables.some(({ table }) => table === FILES_TABLE);

/**
 * Yields the contents of stored files, of one sub-account or all, and returns their totals. A content
 * that the storage lacks is counted as missing: it may have been deleted since the snapshot.
 */
export async function* contentsOf(
  ask: Ask,
  files: FileStore,
  tables: readonly TableHead[],
  subAccountId: string | undefined,
): AsyncGenerator<FileContent, FileTotals> {
  const totals = { count: 0, bytes: 0, missing: 0 };
  let after: readonly [string, string] = [FIRST, FIRST];
  while (hasFiles(tables)) {
    const keys = await ask<FileKey>(CONTENTS, [...after, subAccountId ?? null]);
    for (const key of keys) {
      const found = await files.open(key);
      if (found) {
        const bytes = await readWhole(found);
        totals.count += 1;
        totals.bytes += bytes.length;
        yield { head: { file: key.id, of: key.subAccountId }, bytes };
      } else {
        totals.missing += 1;
      }
    }
    const last = keys.at(-1);
    if (last === undefined || keys.length < PAGE) {
      break;
    }
    after = [last.subAccountId, last.id];
  }
  return totals;
}

const FIRST = '00000000-0000-0000-0000-000000000000';

const CONTENTS = `
  select distinct sub_account_id as "subAccountId", content_id as id from files
  where state = 'stored' and (sub_account_id, content_id) > ($1::uuid, $2::uuid)
    and ($3::uuid is null or sub_account_id = $3)
  order by 1, 2 limit ${PAGE}`;

interface RestoreFilesInput {
  readonly url: string;
  readonly file: SourceFile;
  readonly files: FileStore;
  /** Refuses contents of others, and keeps those that are in use: the file is untrusted. */
  readonly subAccountId?: string;
}

/**
 * Stores the contents of a backup before its rows are loaded. Those whose rows do not follow within a
 * day are removed, so a load that fails leaves nothing behind. Returns their number.
 */
export async function restoreFiles(input: RestoreFilesInput): Promise<number> {
  const { url, file } = input;
  const name = nameOfSource(file);
  return withClient(url, async (client) => {
    let count = 0;
    let head: FileHead | undefined;
    let blocks: Buffer[] = [];
    for await (const piece of readBackup(file)) {
      if (piece.kind === 'file') {
        ({ head } = piece);
        blocks = [];
      } else if (piece.kind === 'data' && head) {
        blocks.push(piece.bytes);
        refuseLarge(blocks, name);
      } else if (piece.kind === 'count' && head) {
        await restoreFile(client, input, { head, bytes: Buffer.concat(blocks) });
        head = undefined;
        count += 1;
      }
    }
    return count;
  });
}

function refuseLarge(blocks: readonly Buffer[], name: string): void {
  if (blocks.reduce((sum, { length }) => sum + length, 0) > CONTENT_MAX) {
    throw mapBackupError(name, new Altered());
  }
}

async function restoreFile(
  client: Client,
  { file, files, subAccountId }: RestoreFilesInput,
  { head, bytes }: FileContent,
): Promise<void> {
  const key = { subAccountId: head.of, id: head.file };
  if (subAccountId !== undefined && key.subAccountId !== subAccountId) {
    throw mapBackupError(nameOfSource(file), new Altered());
  }
  const isUsed = await reserve(client, key);
  if (subAccountId === undefined || !isUsed) {
    await files.put(key, bytes);
  }
}

const AGAIN_MS = 100;

/**
 * Keeps a content from being removed until its row follows. A worker that is removing it at the moment
 * would remove what is put: its removal is waited for. Returns whether the content is in use.
 */
async function reserve(client: Client, { subAccountId, id }: FileKey): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ isUsed: boolean; isReserved: boolean }>(RESERVE, [
      subAccountId,
      id,
    ]);
    const { isUsed, isReserved } = rows[0] ?? { isUsed: false, isReserved: false };
    if (isUsed || isReserved) {
      return isUsed;
    }
    await sleep(AGAIN_MS);
  }
}

/** A content in use needs no row: another transaction may be deleting its file, and would be waited for. */
const RESERVE = `
  with used as (
    select exists (
      select from files where sub_account_id = $1 and content_id = $2 and state = 'stored'
    ) as "isUsed"
  ), reserved as (
    insert into ${FILE_DELETIONS_TABLE} as d (sub_account_id, content_id, due_at)
    select $1, $2, now() + interval '1 day' from used where not "isUsed"
    on conflict (sub_account_id, content_id) do update
    set due_at = excluded.due_at, taken_at = null
    where ${isNotTaken('d')}
    returning d.content_id
  )
  select "isUsed", exists (select from reserved) as "isReserved" from used`;

/** Queues the removal of all contents, before their rows are replaced. */
export async function releaseContents(ask: Ask, tables: readonly TableHead[]): Promise<void> {
  if (hasFiles(tables)) {
    await ask(RELEASE);
  }
}

const RELEASE = `
  insert into ${FILE_DELETIONS_TABLE} (sub_account_id, content_id, due_at)
  select distinct sub_account_id, content_id, now() from files where state = 'stored'
  on conflict (sub_account_id, content_id) do update set due_at = excluded.due_at`;

/** Keeps the contents whose rows were loaded. */
export async function keepContents(ask: Ask, tables: readonly TableHead[]): Promise<void> {
  if (hasFiles(tables)) {
    await ask(KEEP);
  }
}

const KEEP = `
  delete from ${FILE_DELETIONS_TABLE} d using files f
  where f.sub_account_id = d.sub_account_id and f.content_id = d.content_id
    and f.state = 'stored'`;
