import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_ROOT } from '../files/package-root.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';

/** How long browsers may use files of the previous release. */
export const SHORTLY = 'public, max-age=300';

interface FilePage {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly type: string;
  readonly file: ReadWebFile;
  /** Further response headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Declares a route for a file that pages load, such as a style sheet or a script. */
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

export interface WebFile {
  readonly bytes: Buffer;
  /** Identifies the content. */
  readonly etag: string;
}

export type ReadWebFile = () => Promise<WebFile>;

const WEB = pathToFileURL(join(PACKAGE_ROOT, 'web/'));

/** Returns a reader of a file below `web/`; it is read at the first request. */
export const webFile = (path: string): ReadWebFile => readOnce(() => new URL(path, WEB));

/** Those who ask while it is read wait for the one copy; a failure is not kept. */
function readOnce(urlOf: () => URL): ReadWebFile {
  let reading: Promise<WebFile> | undefined;
  return () =>
    (reading ??= readWebFile(urlOf()).catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));
}

const readWebFile = async (url: URL): Promise<WebFile> => hashed(await readFile(url));

/** Returns content with the ETag that names it. */
export function hashed(bytes: Buffer): WebFile {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, etag: `"${hash}"` };
}

/** The style sheet of card pages (`card`), which several slices use. */
export const cardPages = [
  filePage({
    id: 'pages.card-style',
    path: '/pages/card.css',
    summary: 'The style sheet of pages with a single message or form',
    type: 'text/css; charset=utf-8',
    file: webFile('built/card.css'),
  }),
];

/** Secret links and calls: crawlers have nothing to find there. */
const ROBOTS = `User-agent: *
Disallow: /api/
Disallow: /webhooks/
Disallow: /console
Disallow: /book/manage/
Disallow: /book/wait/
Disallow: /u/
Disallow: /campaigns/preview/
Disallow: /outbox/
Disallow: /files/
`;

/** What browsers and crawlers request from the root of every server. */
export const rootPages = [
  filePage({
    id: 'pages.favicon',
    path: '/favicon.ico',
    summary: 'The icon of pages that have none of their own',
    type: 'image/svg+xml',
    file: webFile('docs/icon.svg'),
  }),
  filePage({
    id: 'pages.robots',
    path: '/robots.txt',
    summary: 'Where crawlers may look',
    type: 'text/plain; charset=utf-8',
    file: () => Promise.resolve(hashed(Buffer.from(ROBOTS))),
  }),
];
