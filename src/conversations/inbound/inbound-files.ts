import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import {
  FILES_MAX,
  FILES_PATH,
  type FileRecord,
  type FileSource,
} from '../../files/file.schema.ts';
import {
  insertFile,
  plainType,
  refusedFile,
  storeOrRefuse,
  type FileContent,
  type RefusedFile,
  type StoreContext,
  type StoredContent,
} from '../../files/store-file.ts';
import { plainName } from '../../files/file-name.ts';
import type { Channel } from '../../contacts/channels.ts';
import { fetchFile } from '../conversations.jobs.ts';

/** A file that stays with the provider until a job fetches it. */
export interface RemoteFile {
  readonly url: string;
  readonly name: string;
  /** The declared type. */
  readonly type: string;
}

/** A file of an inbound message: with its content, stored, refused, or still at the provider. */
export type InboundFile = FileContent | StoredContent | RefusedFile | RemoteFile;

const isGiven = (file: InboundFile): file is FileContent => 'bytes' in file;
const isRemote = (file: InboundFile): file is RemoteFile => 'url' in file;

/** Stores contents before the message is received. A file that is refused does not lose the message. */
export async function storeInboundFiles(
  context: StoreContext,
  files: readonly InboundFile[],
): Promise<InboundFile[]> {
  const stored: InboundFile[] = [];
  for (const [index, file] of files.entries()) {
    if (!isGiven(file)) {
      stored.push(file);
    } else if (index < FILES_MAX) {
      stored.push(await storeOrRefuse(context, file));
    } else {
      stored.push(refusedGiven(file, TOO_MANY));
    }
  }
  return stored;
}

/** Replaces contents by the reason why they are missing. */
export const refuseInboundFiles = (files: readonly InboundFile[], reason: string): InboundFile[] =>
  files.map((file) => (isGiven(file) ? refusedGiven(file, reason) : file));

const refusedGiven = (file: FileContent, reason: string): RefusedFile =>
  refusedFile({ ...file, id: newId(new Date()), size: file.bytes.length }, reason);

const TOO_MANY = `a message can have at most ${FILES_MAX} files`;

/** A mail may have thousands of parts. */
const ROWS_MAX = 5 * FILES_MAX;

/** Inserts the files of a message that was just inserted. Returns them as its event shows them. */
export async function insertInboundFiles(
  work: Work,
  { messageId, channel }: { readonly messageId: string; readonly channel: Channel },
  files: readonly InboundFile[] = [],
): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  for (const [position, file] of files.slice(0, ROWS_MAX).entries()) {
    if (isRemote(file)) {
      records.push(insertPending(work, file, { messageId, channel, position }));
    } else if (!isGiven(file)) {
      await insertFile(work, file, { messageId, position });
      records.push(recordOf(file));
    }
  }
  return records;
}

function recordOf(file: StoredContent | RefusedFile): FileRecord {
  const { id, name, type, size } = file;
  const refused = 'refused' in file ? file.refused : null;
  return { id, name, type, size, url: refused === null ? FILES_PATH + id : null, refused };
}

interface Place {
  readonly messageId: string;
  readonly channel: Channel;
  readonly position: number;
}

function insertPending(
  work: Work,
  { url, name: given, type: declared }: RemoteFile,
  { messageId, channel, position }: Place,
): FileRecord {
  const { subAccountId, now } = work;
  const [id, name, type] = [newId(now), plainName(given) || 'file', plainType(declared)];
  const source: FileSource = { url, channel };
  const values = [subAccountId, id, name, type, JSON.stringify(source), messageId, position, now];
  work.write(INSERT_PENDING, values);
  work.enqueue(fetchFile, { subAccountId, fileId: id });
  return { id, name, type, size: null, url: null, refused: null };
}

const INSERT_PENDING = `insert into files (sub_account_id, id, content_id, state, name, type, source,
    message_id, position, created_at)
  values ($1, $2, $2, 'pending', $3, $4, $5::jsonb, $6, $7, $8)`;
