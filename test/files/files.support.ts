import { deflateSync } from 'node:zlib';
import type { JobContext } from '#core/job.ts';
import { handleRemoveFiles } from '../../src/files/files.jobs.ts';
import type { Answer, TestService } from '../support/service.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
};

const HEADER = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);

/** The beginning of every PNG, and an image of one pixel. */
export const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', HEADER),
  chunk('IDAT', deflateSync(Buffer.alloc(4))),
  chunk('IEND', Buffer.alloc(0)),
]);
export const GIF = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff;', 'latin1');
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
);
export const HTML = Buffer.from('<!doctype html><script>alert(1)</script>');

interface Upload {
  readonly name?: string;
  readonly type?: string;
  readonly bytes?: Uint8Array;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function upload(
  { call }: Pick<TestService, 'call'>,
  { name = 'x-ray.png', type = 'image/png', bytes = PNG, key = 'full', headers }: Upload = {},
): Promise<Answer> {
  const line = `POST /api/v1/files?name=${encodeURIComponent(name)}`;
  return call(line, { key, raw: bytes, headers: { 'content-type': type, ...headers } });
}

/** Uploads a PNG and returns its id. */
export async function uploaded(service: TestService, given: Upload = {}): Promise<string> {
  return (await upload(service, given)).body.data.id as string;
}

/** Uploads a file to a chat. */
export const uploadToChat = (
  { call }: Pick<TestService, 'call'>,
  sessionId: string,
  { name = 'tooth.png', type = 'image/png', bytes = PNG }: Upload = {},
): Promise<Answer> =>
  call(`POST /api/chat/files?sessionId=${sessionId}&name=${encodeURIComponent(name)}`, {
    key: null,
    raw: bytes,
    headers: { 'content-type': type },
  });

/** The bytes and headers of a path. */
export async function download(service: TestService, path: string, key: string | null = 'full') {
  const response = await fetch(service.url + path, {
    headers: key === null ? {} : { authorization: `Bearer ${service.keys[key as 'full'] ?? key}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** Runs the job that removes contents, once. */
export async function removeNow(service: TestService): Promise<void> {
  const context = {
    ...service,
    actor: service.actor,
    signal: new AbortController().signal,
    attempt: 1,
    execute: async (text: string, values: readonly unknown[] = []) =>
      (await service.database.pool.query(text, [...values])).rowCount ?? 0,
  } as unknown as JobContext;
  await handleRemoveFiles.handle({}, context);
}

/** The ids of contents of a sub-account that are in the storage. */
export async function storedContents({
  tools,
  subAccountId,
}: Pick<TestService, 'tools' | 'subAccountId'>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of tools.files.list()) {
    if (key.subAccountId === subAccountId) {
      found.push(key.id);
    }
  }
  return found.sort();
}

/** Opens a conversation by live chat, which needs no provider. */
export async function liveChatThread({ call }: TestService, key = 'full') {
  const contact = { firstName: 'Ada', lastName: 'Lovelace' };
  const created = await call('POST /api/v1/contacts', { body: contact, key });
  const contactId = created.body.data.id as string;
  const body = { contactId, channel: 'live_chat' };
  const thread = await call('POST /api/v1/conversations', { body, key });
  return { contactId, id: thread.body.data.id as string };
}
