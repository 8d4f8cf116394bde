import { Fault, invalid } from '#core/fault.ts';
import type { FileStore } from '#core/files.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { plainName, safeName } from './file-name.ts';
import { ACCEPTED, detectType } from './file-type.ts';

/** A content with what its sender says about it. */
export interface FileContent {
  readonly name: string;
  /** The declared content type. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A file whose content is in the storage. */
export interface StoredContent {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Stands for a file without content: a person reads its name and the reason. */
export interface RefusedFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number | null;
  readonly refused: string;
}

/** What a place accepts, if that is less than the storage does. */
export interface FileLimits {
  readonly maxBytes?: number;
  /** Content types. */
  readonly types?: readonly string[];
}

/** What storing needs. `change` runs a transaction of its own in the sub-account. */
export interface StoreContext {
  readonly files: FileStore;
  readonly subAccountId: string;
  readonly change: (change: (work: Work) => Promise<void>) => Promise<unknown>;
  /** A stranger without a key uploads the file, and has to leave more of the disk free. */
  readonly isOfVisitor?: true;
}

/**
 * Checks a content and stores it under a new id, before the transaction that inserts its row with `insertFile`. A
 * content without a row is removed an hour later, so a process may be killed at any line. Throws
 * VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or SERVICE_UNAVAILABLE.
 */
export async function storeFile(
  { files, subAccountId, change, isOfVisitor }: StoreContext,
  { name, type, bytes }: FileContent,
  id: string,
  { maxBytes = files.maxBytes, types }: FileLimits = {},
): Promise<StoredContent> {
  if (bytes.length === 0) {
    throw invalid([{ in: 'body', path: '', message: 'must not be an empty file' }]);
  }
  if (bytes.length > Math.min(maxBytes, files.maxBytes)) {
    const limit = mebibytes(Math.min(maxBytes, files.maxBytes));
    throw new Fault('PAYLOAD_TOO_LARGE', `the file is larger than ${limit}`);
  }
  const detected = await detectType(bytes, { name, type });
  if (detected === undefined || types?.includes(detected.type) === false) {
    const accepted = types?.join(', ') ?? ACCEPTED;
    const message = `the content is not of an accepted type, whatever its name; send ${accepted}`;
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', message, { reason: 'file_type' });
  }
  await files.requireSpace(bytes.length, isOfVisitor ? 'visitor' : 'team');
  await change(async (work) => work.write(RESERVE, [subAccountId, id]));
  await files.put({ subAccountId, id }, bytes);
  return { id, name: safeName(name, detected), type: detected.type, size: bytes.length };
}

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

/** As long as a content may wait for its row. */
const RESERVE = `insert into file_deletions (sub_account_id, content_id, due_at)
  values ($1, $2, now() + interval '1 hour')`;

/** Like `storeFile`, for files that others send with a message: a refusal does not lose the message. */
export async function storeOrRefuse(
  context: StoreContext,
  given: FileContent,
): Promise<StoredContent | RefusedFile> {
  const id = newId(new Date());
  try {
    return await storeFile(context, given, id);
  } catch (error) {
    const reason = error instanceof Fault ? REASONS[error.code] : undefined;
    if (reason === undefined) {
      throw error;
    }
    return refusedFile({ ...given, id, size: given.bytes.length }, reason);
  }
}

/** The reasons of refused files, for people. */
export const REASONS: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'the file is empty',
  PAYLOAD_TOO_LARGE: 'the file is too large',
  UNSUPPORTED_MEDIA_TYPE: 'files of this type are not accepted',
};

/** What a refused file is shown as. Its type was not checked, so it is text and nothing more. */
export const refusedFile = (
  given: Pick<RefusedFile, 'id' | 'name' | 'type' | 'size'>,
  refused: string,
): RefusedFile => ({
  id: given.id,
  name: plainName(given.name) || 'file',
  type: plainType(given.type),
  size: given.size,
  refused,
});

/** Returns a declared type if it has the form of one. */
export const plainType = (type: string): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(type)?.[0]?.toLowerCase() ?? 'application/octet-stream';

/** The rows that refer to a file. */
interface FileOwner {
  readonly messageId?: string;
  readonly sessionId?: string | null;
  readonly formId?: string;
  readonly position?: number;
}

/**
 * Inserts the row of a stored or refused file. Throws SERVICE_UNAVAILABLE if its content waited too long
 * and is being removed; repeating the whole call stores it again.
 */
export async function insertFile(
  work: Work,
  file: StoredContent | RefusedFile,
  { messageId, sessionId = null, formId, position = 0 }: FileOwner = {},
): Promise<void> {
  const { subAccountId, now } = work;
  const refused = 'refused' in file ? file.refused : null;
  if (refused === null) {
    await claimContent(work, file.id);
  }
  const { id, name, type, size } = file;
  const state = refused === null ? 'stored' : 'refused';
  const owner = [messageId ?? null, sessionId, formId ?? null, position, now];
  work.write(INSERT, [subAccountId, id, state, name, type, size, refused, ...owner]);
}

const INSERT = `insert into files (sub_account_id, id, content_id, state, name, type, size, refused,
    message_id, session_id, form_id, position, created_at)
  values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** Keeps a stored content from being removed. Throws SERVICE_UNAVAILABLE if it is too late. */
export async function claimContent(work: Work, contentId: string): Promise<void> {
  const [claimed] = await work.rows(CLAIM, [work.subAccountId, contentId]);
  if (!claimed) {
    throw new Fault('SERVICE_UNAVAILABLE', 'storing the file took too long; send it again');
  }
}

const CLAIM = `delete from file_deletions
  where sub_account_id = $1 and content_id = $2 and taken_at is null returning content_id`;
