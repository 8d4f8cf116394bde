import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { uuidFromBytes, uuidToBytes } from './id.ts';

/** The record that a token opens. */
export interface TokenSubject {
  readonly subAccountId: string;
  readonly id: string;
}

const ID_BYTES = 16;
const SUBJECT_BYTES = 2 * ID_BYTES;
const MAC_BYTES = 16;

/** The form of a token, for a pattern: 48 bytes in base64url. */
export const SIGNED_TOKEN = '[\\w-]{64}';
const TOKEN = new RegExp(`^${SIGNED_TOKEN}$`);

/** Text that the signature covers besides the ids; a token is valid for the same text only. */
type Context = string;

/** Returns the two ids and their signature: always the same for the same key, ids and context. */
export function signToken(
  key: KeyObject,
  { subAccountId, id }: TokenSubject,
  context: Context = '',
): string {
  const ids = Buffer.concat([uuidToBytes(subAccountId), uuidToBytes(id)]);
  return Buffer.concat([ids, macOf(key, ids, context)]).toString('base64url');
}

/** Returns the record that a token opens; undefined unless it was signed with this key and context. */
export function verifyToken(
  key: KeyObject,
  token: string,
  context: Context = '',
): TokenSubject | undefined {
  const subject = readToken(token);
  if (!subject) {
    return undefined;
  }
  const bytes = Buffer.from(token, 'base64url');
  const mac = macOf(key, bytes.subarray(0, SUBJECT_BYTES), context);
  return timingSafeEqual(bytes.subarray(SUBJECT_BYTES), mac) ? subject : undefined;
}

/** Returns the record that a token names, without checking its signature; undefined if malformed. */
export function readToken(token: string): TokenSubject | undefined {
  if (!TOKEN.test(token)) {
    return undefined;
  }
  const bytes = Buffer.from(token, 'base64url');
  return {
    subAccountId: uuidFromBytes(bytes.subarray(0, ID_BYTES)),
    id: uuidFromBytes(bytes.subarray(ID_BYTES, SUBJECT_BYTES)),
  };
}

const macOf = (key: KeyObject, ids: Buffer, context: Context): Buffer =>
  createHmac('sha256', key).update(ids).update(context).digest().subarray(0, MAC_BYTES);
