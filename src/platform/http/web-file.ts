import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface WebFile {
  readonly bytes: Buffer;
  /** Names the content. */
  readonly etag: string;
}

const WEB = new URL('../../../web/', import.meta.url);

/** A file that browsers load, by its place under `web/`; read when it is first asked for. */
export function webFile(path: string): () => Promise<WebFile> {
  let read: WebFile | undefined;
  return async () => (read ??= await readWebFile(path));
}

async function readWebFile(path: string): Promise<WebFile> {
  const bytes = await readFile(new URL(path, WEB));
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, etag: `"${hash}"` };
}
