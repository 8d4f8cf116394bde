import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Headers } from './response.ts';

/** Pages, styles, scripts and drawings. Records of the API are small, and programs read them. */
const COMPRESSIBLE = /^(?:text\/|image\/svg\+xml|application\/(?:javascript|manifest\+json))/;
/** A packet holds less. */
const WORTH_BYTES = 1_400;

const ACCEPTED = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** In threads of their own: a page of 40 kB takes a millisecond. */
const compress = promisify(gzip);

/** Files are compressed once. Pages are made for each request. */
const files = new WeakMap<Buffer, Promise<Buffer>>();

/**
 * Returns the body of a document as the client wants it, and adds its headers. Documents are public, have
 * their secret in the address, or need a session, which other websites cannot use: their size reveals no
 * secret to these (BREACH).
 */
export async function encoded(
  content: string | Buffer,
  headers: Headers,
  acceptEncoding: string | undefined,
): Promise<Buffer> {
  const bytes = bytesOf(content);
  const isWorth = bytes.length >= WORTH_BYTES && COMPRESSIBLE.test(headers['content-type'] ?? '');
  if (!isWorth || headers['content-encoding'] !== undefined) {
    return bytes;
  }
  const { vary = '' } = headers;
  if (!/accept-encoding/i.test(vary)) {
    headers['vary'] = `${vary}${vary === '' ? '' : ', '}Accept-Encoding`;
  }
  if (!ACCEPTED.test(acceptEncoding ?? '')) {
    return bytes;
  }
  headers['content-encoding'] = 'gzip';
  return typeof content === 'string' ? compress(bytes) : compressedFile(content);
}

/** Bytes, not text: node:http would allocate three times its length to append it to the headers. */
export const bytesOf = (content: string | Buffer): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : content;

function compressedFile(bytes: Buffer): Promise<Buffer> {
  const known = files.get(bytes);
  if (known) {
    return known;
  }
  const compressing = compress(bytes);
  files.set(bytes, compressing);
  return compressing;
}
