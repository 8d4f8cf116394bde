import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_ROOT } from '../files/package-root.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';

/** A new release reaches every visitor within so long. */
const SHORTLY = 'public, max-age=300';

interface FilePage {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly type: string;
  readonly file: ReadWebFile;
  /** Besides those of every such file. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A style sheet or a script that pages load, the same for everybody. */
export const filePage = ({ file, type, headers: more, ...where }: FilePage) =>
  definePageEndpoint({
    ...where,
    method: 'GET',
    async read() {
      const { bytes, etag } = await file();
      const headers = { ...more, etag, 'cache-control': SHORTLY };
      return { data: null, document: { type, body: bytes, headers } };
    },
  });

interface WebFile {
  readonly bytes: Buffer;
  /** Names the content. */
  readonly etag: string;
}

export type ReadWebFile = () => Promise<WebFile>;

const WEB = pathToFileURL(join(PACKAGE_ROOT, 'web/'));

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

/** What pages of several slices load, that say or ask one thing (`card`). */
export const cardPages = [
  filePage({
    id: 'pages.card-style',
    path: '/pages/card.css',
    summary: 'How pages look that say or ask one thing',
    type: 'text/css; charset=utf-8',
    file: webFile('card/card.css'),
  }),
];
