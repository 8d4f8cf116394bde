import type { FileBody } from '#core/endpoint/file-body.ts';
import { storeFile, type FileLimits, type StoreContext, type StoredContent } from './store-file.ts';

/** What `prepare` of an upload stored, for its `write`. */
const stored = new WeakMap<FileBody, StoredContent>();

/** Stores an uploaded file before its transaction begins. Throws why it is refused. */
export async function storeUpload(
  context: StoreContext,
  body: FileBody,
  name: string,
  limits?: FileLimits,
): Promise<void> {
  const { id, bytes, type } = body;
  stored.set(body, await storeFile(context, { name, type, bytes }, id, limits));
}

/** Returns the file that `storeUpload` stored. */
export function uploadOf(body: FileBody): StoredContent {
  const file = stored.get(body);
  if (!file) {
    throw new Error('the endpoint of an upload has no prepare');
  }
  return file;
}
