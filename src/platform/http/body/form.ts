import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { Fault } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import { request } from '#core/schema/schema.ts';
import { readQuery } from '#lib/query-string.ts';

const NOTHING = request({});

/** The fields of a body, checked against the schema of its endpoint. */
export type CheckedBody = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of a submitted form, checked; files are left out. Throws VALIDATION_ERROR or
 * UNSUPPORTED_MEDIA_TYPE.
 */
export async function readForm(
  { body = NOTHING, takes = [] }: Pick<Endpoint, 'body' | 'takes'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
  bytes: Buffer,
): Promise<CheckedBody> {
  const type = headers['content-type'] ?? '';
  if (takes.includes('multipart/form-data') && /^multipart\/form-data\s*;/i.test(type)) {
    return check(body, readQuery(body, await readParts(type, bytes), 'body'), 'body');
  }
  if (bytes.length > 0 && !/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must be a form');
  }
  return check(body, readQuery(body, new URLSearchParams(bytes.toString()), 'body'), 'body');
}

/** The text fields of a multipart form. */
async function readParts(type: string, bytes: Buffer): Promise<URLSearchParams> {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    return new URLSearchParams(
      [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    throw new Fault(
      'VALIDATION_ERROR',
      'the body is not a multipart form with the boundary of its Content-Type',
    );
  }
}
