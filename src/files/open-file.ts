import type { Reply } from '#core/endpoint/reply.ts';
import { Fault, notFound } from '#core/fault.ts';
import type { FileStore } from '#core/files.ts';
import type { View } from '#core/work.ts';
import { isShownInline } from './file-type.ts';

/** The content of a stored file, as send and serve use it. */
export interface StoredFileContent {
  readonly contentId: string;
  readonly name: string;
  readonly type: string;
}

/** Throws NOT_FOUND unless the sub-account has the file. Files of deleted conversations are gone. */
export async function readFileRow(view: View, id: string): Promise<StoredFileContent> {
  const [row] = await view.rows<StoredFileContent & { readonly state: string }>(FILE, [
    view.subAccountId,
    id,
  ]);
  if (!row || row.state === 'refused') {
    throw notFound('file');
  }
  if (row.state === 'pending') {
    throw new Fault('SERVICE_UNAVAILABLE', 'the file is still being fetched; try again soon');
  }
  return row;
}

const FILE = `select f.content_id as "contentId", f.state, f.name, f.type
  from files f
  join sub_accounts a on a.id = f.sub_account_id
  where f.sub_account_id = $1 and f.id = $2 and a.deleted_at is null`;

/**
 * Whatever the type: browsers neither guess another one, nor run what is inside, nor show anything but
 * raster images in a page of ours.
 */
const HEADERS = {
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'",
  'cross-origin-resource-policy': 'cross-origin',
};

/** Returns the response with a file's content. Throws NOT_FOUND if there is none. */
export async function serveFile(view: View, files: FileStore, id: string): Promise<Reply> {
  const { contentId, name: fileName, type } = await readFileRow(view, id);
  const file = await files.open({ subAccountId: view.subAccountId, id: contentId });
  if (!file) {
    throw notFound('file');
  }
  const headers = {
    ...HEADERS,
    ...(file.sizeBytes !== undefined && { 'content-length': String(file.sizeBytes) }),
    // The content of an id never changes.
    'cache-control': 'private, max-age=3600',
  };
  const isInline = isShownInline(type);
  const served = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
  return {
    data: null,
    download: { type: served, fileName, isInline, headers, stream: file.stream },
  };
}
