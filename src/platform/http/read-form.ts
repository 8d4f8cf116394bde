import type { IncomingMessage } from 'node:http';
import type { Endpoint } from '#kit/endpoint.ts';
import { check } from '#kit/check.ts';
import { Fault } from '#kit/fault.ts';
import { readQuery } from '#kit/query-string.ts';
import { strict } from '#kit/schema.ts';

const NOTHING = strict({});

/** What a browser sends of a form without files, read by the schema that checks it. */
export function readForm(
  { body = NOTHING }: Pick<Endpoint, 'body'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
  bytes: Buffer,
): unknown {
  const type = headers['content-type'] ?? '';
  if (bytes.length > 0 && !/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must be a form');
  }
  return check(body, readQuery(body, new URLSearchParams(bytes.toString()), 'body'), 'body');
}
