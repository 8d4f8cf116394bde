import type { IncomingMessage } from 'node:http';
import { keepSentFiles } from '#core/endpoint/form-files.ts';
import { Fault, invalid, pointerToken } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import type { BodyShare } from './budget.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { request } from '#core/schema/schema.ts';
import { collectBytes, type Collector } from '#lib/collect-bytes.ts';
import { nextSlice } from '#lib/in-slices.ts';
import { readQuery } from '#lib/query-string.ts';
import { type JsonLimits, measureJson, tooDeep, tooMany } from './measure-json.ts';
import { parseMultipart } from './multipart.ts';
import { parseForm } from './parse-form.ts';

const MIB_BYTES = 1024 * 1024;
export const BODY_LIMIT_BYTES = MIB_BYTES;

/** Larger bodies take long enough to be parsed that several in one cycle would delay others. */
const ALTERNATING_MIN_BYTES = 64 * 1024;

/**
 * Returns the bytes of a request; a large body in a cycle of the event loop in which no other is parsed.
 * Throws PAYLOAD_TOO_LARGE above `limitBytes`. The rest of a refused
 * body is read and discarded, so that its sender gets the response instead of a reset; the server's
 * request timeout ends a sender that never stops. (No `for await`: leaving it early destroys the socket.)
 */
export async function readBytes(
  request: IncomingMessage,
  limitBytes: number,
  share: BodyShare,
): Promise<Buffer> {
  const bytes = await receive(request, limitBytes, share);
  if (bytes.length > ALTERNATING_MIN_BYTES) {
    await nextSlice(share.holder);
  }
  return bytes;
}

function receive(request: IncomingMessage, limitBytes: number, share: BodyShare): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Collector | undefined = collectBytes(limitBytes, share.reserve);
    const refuse = (error: unknown) => {
      body = undefined;
      share.release();
      reject(error);
    };
    share.evictBy(refuse);
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > limitBytes;
    const refusal = isTooLarge ? tooLarge(limitBytes) : compressionRefusal(request);
    if (refusal) {
      refuse(refusal);
    }
    request.on('data', (chunk: Buffer) => {
      try {
        if (body && body.size + chunk.length > limitBytes) {
          throw tooLarge(limitBytes);
        }
        body?.add(chunk);
      } catch (error) {
        refuse(error);
      }
    });
    request.on('end', () => {
      if (body) {
        share.evictBy(undefined);
        resolve(body.bytes());
        body = undefined;
      }
    });
    request.on('close', () => {
      if (!request.complete) {
        refuse(refusedBody('', 'ended before it was complete'));
      }
    });
  });
}

/** Returns the refusal of a compressed body, or undefined. */
export const compressionRefusal = ({ headers }: IncomingMessage): Fault | undefined => {
  const isPlain =
    /^(?:identity)?$/i.test(headers['content-encoding'] ?? '') &&
    /^(?:chunked)?$/i.test(headers['transfer-encoding'] ?? '');
  return isPlain
    ? undefined
    : new Fault(
        'UNSUPPORTED_MEDIA_TYPE',
        'the body must not be compressed: send it without Content-Encoding, and without Transfer-Encoding or as chunked',
      );
};

const TYPE_SHOWN_MAX = 100;
/** Far above every body of this API, and cheap to check. */
const LIMITS: JsonLimits = { values: 10_000, depth: 64 };
/** Smaller bodies are parsed at once, whatever they contain. */
const MEASURED_MIN_BYTES = 16 * 1024;

/** Parses a JSON body; returns undefined for an empty one. */
export function parseJson(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) {
    return undefined;
  }
  const given = contentType === undefined ? '' : `, not ${contentType.slice(0, TYPE_SHOWN_MAX)}`;
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new Fault(
      'UNSUPPORTED_MEDIA_TYPE',
      `the body must be JSON: send Content-Type: application/json${given}`,
    );
  }
  const excess = bytes.length > MEASURED_MIN_BYTES ? measureJson(bytes, LIMITS) : undefined;
  if (excess !== undefined) {
    throw refusedBody(excess.path, excess.message);
  }
  let value: unknown;
  try {
    value = JSON.parse(strictUtf8.decode(bytes));
  } catch (error) {
    throw refusedBody('', `is not JSON${placeOf(error)}`);
  }
  const issue = issueIn(value, { depth: 0, left: LIMITS.values });
  if (issue) {
    throw refusedBody(issue.path, issue.message);
  }
  return value;
}

/** Returns where the parser stopped; its own message would repeat a part of the body. */
function placeOf(error: unknown): string {
  const { message } = error as Error;
  if (error instanceof TypeError) {
    return ': it must be encoded in UTF-8';
  }
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  if (line !== undefined) {
    return `: see line ${line}, column ${column}`;
  }
  return message.startsWith('Unexpected end') ? ': it ends too early' : '';
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the first value that PostgreSQL cannot store unchanged, or that is absurdly large. */
function issueIn(
  value: unknown,
  budget: { depth: number; left: number },
): { readonly path: string; readonly message: string } | undefined {
  budget.left -= 1;
  const message = budget.left < 0 ? tooMany(LIMITS) : issueOf(value);
  if (message) {
    return { path: '', message };
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (budget.depth === LIMITS.depth) {
    return { path: '', message: tooDeep(LIMITS) };
  }
  budget.depth += 1;
  for (const [name, member] of Object.entries(value)) {
    const wrongName = issueOf(name);
    const inside = wrongName ? undefined : issueIn(member, budget);
    if (wrongName) {
      return { path: '', message: wrongName };
    }
    if (inside) {
      return { ...inside, path: `/${pointerToken(name)}${inside.path}` };
    }
  }
  budget.depth -= 1;
  return undefined;
}

function issueOf(value: unknown): string | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : 'must be a finite number';
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  if (value.includes('\0')) {
    return 'must not contain a NUL character';
  }
  return value.isWellFormed() ? undefined : 'must not contain an unpaired surrogate';
}

export const refusedBody = (path: string, message: string) =>
  invalid([{ in: 'body', path, message }]);

export const tooLarge = (limitBytes: number) =>
  new Fault('PAYLOAD_TOO_LARGE', `the body is larger than ${sizeText(limitBytes)}`);

const sizeText = (bytes: number): string =>
  bytes < MIB_BYTES ? `${bytes / 1024} KiB` : `${bytes / MIB_BYTES} MiB`;

const NOTHING = request({});

/** The fields of a body, checked against the schema of its endpoint. */
export type CheckedBody = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of a submitted form, checked; `takeSentFiles` returns its files. Throws VALIDATION_ERROR,
 * PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE.
 */
export function readForm(
  { body = NOTHING, takes = [] }: Pick<Endpoint, 'body' | 'takes'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
  bytes: Buffer,
): CheckedBody {
  const type = headers['content-type'] ?? '';
  if (takes.includes('multipart/form-data') && isMultipart(type)) {
    return readParts(body, type, bytes);
  }
  if (bytes.length > 0 && !/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new Fault(
      'UNSUPPORTED_MEDIA_TYPE',
      'the body must be a form: send Content-Type: application/x-www-form-urlencoded',
    );
  }
  return check(body, readQuery(body, parseForm(bytes), 'body'), 'body');
}

/** Whether a content type is that of a multipart form. */
export const isMultipart = (type = ''): boolean => /^multipart\/form-data\s*;/i.test(type);

/** Returns a multipart form, checked. Its files are kept with it; inputs without a file are left out. */
function readParts(body: NonNullable<Endpoint['body']>, type: string, bytes: Buffer): CheckedBody {
  const parts = parseMultipart(type, bytes);
  const texts = parts.filter(({ fileName }) => fileName === undefined);
  const fields = texts.map(({ name, bytes: text }): [string, string] => [name, text.toString()]);
  const checked = check(body, readQuery(body, new URLSearchParams(fields), 'body'), 'body');
  const files = parts.flatMap(({ name, fileName, type: declared, bytes: content }) =>
    fileName === undefined || (fileName === '' && content.length === 0)
      ? []
      : [[name, { name: fileName, type: declared, bytes: content }] as const],
  );
  if (files.length > 0) {
    keepSentFiles(checked, new Map(files));
  }
  return checked;
}
