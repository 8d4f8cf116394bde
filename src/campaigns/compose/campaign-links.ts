import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

/** What a link is good for; one of another kind opens nothing. */
export interface LinkKind {
  readonly purpose: string;
  /** Before the token. */
  readonly path: string;
}

/** Names a line of a campaign's ledger: the mail that the link is in. */
export const UNSUBSCRIBE: LinkKind = { purpose: 'unsubscribe-links', path: '/u/' };

/** Names a campaign. */
export const PREVIEW: LinkKind = { purpose: 'campaign-previews', path: '/campaigns/preview/' };

/** A record that the bearer of a link may see. */
export interface Linked {
  readonly subAccountId: string;
  readonly id: string;
}

const ID_BYTES = 16;
const NAMED_BYTES = 2 * ID_BYTES;
const MAC_BYTES = 16;
const TOKEN = /^[\w-]{64}$/;

/** What makes many links: their key is derived once. */
export function linksOf({ purpose, path }: LinkKind, secrets: Secrets, baseUrl: string) {
  const key = secrets.derive(purpose);
  const base = baseUrl.replace(/\/$/, '') + path;
  return (linked: Linked): string => base + tokenOf(key, linked);
}

function tokenOf(key: KeyObject, { subAccountId, id }: Linked): string {
  const named = Buffer.from((subAccountId + id).replaceAll('-', ''), 'hex');
  return Buffer.concat([named, macOf(key, named)]).toString('base64url');
}

/** What a token was made for, or nothing where nobody here made it. */
export function readToken(
  { purpose }: LinkKind,
  secrets: Secrets,
  token: string,
): Linked | undefined {
  if (!TOKEN.test(token)) {
    return undefined;
  }
  const bytes = Buffer.from(token, 'base64url');
  const named = bytes.subarray(0, NAMED_BYTES);
  const mac = macOf(secrets.derive(purpose), named);
  if (!timingSafeEqual(bytes.subarray(NAMED_BYTES), mac)) {
    return undefined;
  }
  return {
    subAccountId: uuidOf(named.subarray(0, ID_BYTES)),
    id: uuidOf(named.subarray(ID_BYTES)),
  };
}

const macOf = (key: KeyObject, named: Buffer): Buffer =>
  createHmac('sha256', key).update(named).digest().subarray(0, MAC_BYTES);

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
