import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

interface WebFile {
  readonly bytes: Buffer;
  /** Names the content. */
  readonly etag: string;
}

export type ReadWebFile = () => Promise<WebFile>;

const WEB = new URL('../../../../web/', import.meta.url);

/** A file that browsers load, by its place under `web/`; read when it is first asked for. */
export const webFile = (path: string): ReadWebFile => readOnce(() => new URL(path, WEB));

/** The same of a package of others, by what `import.meta.resolve` answers. */
export const packageFile = (resolve: () => string): ReadWebFile =>
  readOnce(() => new URL(resolve()));

/** Those who ask while it is read wait for the one copy; a failure is not kept. */
function readOnce(urlOf: () => URL): ReadWebFile {
  let reading: Promise<WebFile> | undefined;
  return () =>
    (reading ??= readWebFile(urlOf()).catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));
}

async function readWebFile(url: URL): Promise<WebFile> {
  const bytes = await readFile(url);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, etag: `"${hash}"` };
}
