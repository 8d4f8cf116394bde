import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { Fault } from '#core/fault.ts';
import { PACKAGE_ROOT } from '#platform/files/package-root.ts';
import type { PlainRoute } from '#platform/http/app.ts';
import type { CallResponse } from '#platform/http/response.ts';

const FOLDER = join(PACKAGE_ROOT, 'web/built/console');
const SHELL = 'index.html';

/** Segments that begin with a letter, digit, dash or underscore: no path leads out of the folder. */
const FILE_PATH = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;

/** Names that change with the content, as esbuild writes them: `inbox-7QX2K4AB.js`. */
const HASHED = /-[A-Z\d]{8}\.\w+$/;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
};
const COMPRESSED = new Set(['.html', '.js', '.css', '.json', '.svg']);

/** Nothing is loaded from other hosts, and no script or style from the page itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/** The pages and files of the console. Every path without an extension is a page of the one shell. */
export const consoleFiles: readonly PlainRoute[] = ['/console', '/console/**'].map((path) => ({
  path,
  answer: serveFile,
}));

async function serveFile(node: IncomingMessage): Promise<CallResponse> {
  const { pathname } = new URL(node.url ?? '/', 'http://localhost');
  const name = pathname.slice('/console/'.length);
  const file = extname(name) === '' ? SHELL : name;
  const loaded = FILE_PATH.test(file) ? await load(file) : undefined;
  if (!loaded) {
    throw new Fault('NOT_FOUND', 'no such path');
  }
  const isSmall = /\bbr\b/.test([node.headers['accept-encoding']].flat().join());
  const { bytes, etag, brotli } = loaded;
  const body = isSmall && brotli ? brotli : bytes;
  const headers = {
    ...HEADERS,
    etag,
    'cache-control': HASHED.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(brotli && { vary: 'Accept-Encoding' }),
    ...(body === brotli && { 'content-encoding': 'br' }),
  };
  const status = node.headers['if-none-match'] === etag ? 304 : 200;
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  return { status, text: '', document: { type, body, headers } };
}

interface ConsoleFile {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Only of types that become smaller. */
  readonly brotli: Buffer | undefined;
}

/** Files whose name changes with their content are read and compressed once. */
const loading = new Map<string, Promise<ConsoleFile | undefined>>();

function load(file: string): Promise<ConsoleFile | undefined> {
  const known = loading.get(file);
  if (known) {
    return known;
  }
  const reading = readConsoleFile(file);
  if (HASHED.test(file)) {
    loading.set(file, reading);
    // A path that does not exist, or could not be read, is tried again.
    void reading.then(
      (found) => found ?? loading.delete(file),
      () => loading.delete(file),
    );
  }
  return reading;
}

async function readConsoleFile(file: string): Promise<ConsoleFile | undefined> {
  const bytes = await readFile(join(FOLDER, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') {
      return undefined;
    }
    throw error;
  });
  if (!bytes) {
    return undefined;
  }
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const brotli = COMPRESSED.has(extname(file)) ? await compress(bytes, BROTLI) : undefined;
  return { bytes, etag, brotli };
}

const compress = promisify(brotliCompress);
/** The next quality takes twenty times as long (3 s for the whole console), and saves 0.2 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } };
