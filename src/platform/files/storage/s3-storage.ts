import type { AwsClient } from 'aws4fetch';
import type { FileKey, OpenFile } from '#core/files.ts';
import { collectBytes } from '#lib/collect-bytes.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { keyOfName, storedName, type Storage } from './storage.ts';

interface S3Settings {
  /** The bucket, and the folder in it if there is one: `https://s3.example.com/bucket/folder`. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Enough for the largest file over a slow line. */
const TIMEOUT_MS = MINUTE_MS;
const RETRIES = 2;
const ERROR_SHOWN_MAX = 300;
/** A page of a list has at most 1,000 names of 1,024 bytes, some escaped, and errors are short. */
const TEXT_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Stores files in a bucket of Amazon S3 or a server that speaks its protocol. The operator names it, so
 * it may be in a private network.
 */
export function s3Storage({ url, region, keyId, secret }: S3Settings): Storage {
  let opening: Promise<AwsClient> | undefined;
  const client = () => (opening ??= openClient({ region, keyId, secret }));
  const request = async (method: string, name: string, body?: Uint8Array): Promise<Response> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = { method, signal, ...(body && { body: body as Uint8Array<ArrayBuffer> }) };
    return (await client()).fetch(name, { ...sent, redirect: 'error' });
  };
  const urlOf = (key: FileKey): string => `${url}/${storedName(key)}`;
  return {
    place: url,
    async put(key, bytes) {
      await requireSuccess(await request('PUT', urlOf(key), bytes));
    },
    async open(key) {
      const response = await request('GET', urlOf(key));
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      return openFileOf(await requireSuccess(response));
    },
    async remove(key) {
      const response = await request('DELETE', urlOf(key));
      await (response.status === 404 ? response.body?.cancel() : requireSuccess(response));
    },
    freeSpace: async () => undefined,
    isMissing: async () => false,
    removeFolder: async () => undefined,
    list: () =>
      keysIn(url, async (page) => textOf(await requireSuccess(await request('GET', page)))),
  };
}

/** On demand: most processes store no file. */
async function openClient({ region, keyId, secret }: Omit<S3Settings, 'url'>): Promise<AwsClient> {
  const { AwsClient } = await import('aws4fetch');
  return new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secret,
    service: 's3',
    region,
    retries: RETRIES,
  });
}

/** Throws an Error with the beginning of what the server says. */
async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) {
    return response;
  }
  const text = await textOf(response);
  const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? [];
  const detail = code ?? text.slice(0, ERROR_SHOWN_MAX);
  throw new Error(`the server returned ${response.status} ${detail}`.trim());
}

/** Returns the text of a response. Throws an Error if it is longer than anything that S3 says. */
async function textOf({ body }: Response): Promise<string> {
  const read = collectBytes();
  for await (const piece of body ?? []) {
    if (read.size + piece.length > TEXT_MAX_BYTES) {
      throw new Error('the server returned more text than S3 does');
    }
    read.add(Buffer.from(piece));
  }
  return read.bytes().toString();
}

/** The body is decoded already: the length of a compressed one is not the file's. */
function openFileOf({ headers, body }: Response): OpenFile {
  const length = headers.get('content-length');
  const isPlain = length !== null && !headers.has('content-encoding');
  const sizeBytes = isPlain ? Number(length) : undefined;
  return { sizeBytes, stream: body ?? new Blob([]).stream() };
}

/** Reads the pages of a list (ListObjectsV2). Names that we did not make are skipped. */
async function* keysIn(
  url: string,
  read: (page: string) => Promise<string>,
): AsyncGenerator<FileKey> {
  const { origin, pathname } = new URL(url);
  const [, bucket = '', ...folders] = pathname.split('/');
  const prefix = folders.map((one) => `${decodeURIComponent(one)}/`).join('');
  let token: string | undefined;
  do {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix,
      ...(token !== undefined && { 'continuation-token': token }),
    });
    const text = await read(`${origin}/${bucket}?${query.toString()}`);
    for (const [, name = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) {
      const key = name.startsWith(prefix) ? keyOfName(name.slice(prefix.length)) : undefined;
      if (key) {
        yield key;
      }
    }
    const next = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(text)?.[1];
    if (next !== undefined && next === token) {
      throw new Error('the server returned a page of its list twice');
    }
    token = next;
  } while (token !== undefined);
}
