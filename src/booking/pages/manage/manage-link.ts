import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

/** What the bearer of a link may see, move and cancel. */
export interface Managed {
  readonly subAccountId: string;
  readonly appointmentId: string;
}

const ID_BYTES = 16;
const NAMED_BYTES = 2 * ID_BYTES;
const MAC_BYTES = 16;
const TOKEN = /^[\w-]{64}$/;

/** The public address under which a customer manages his appointment without a key. */
export const manageLink = (secrets: Secrets, baseUrl: string, managed: Managed): string =>
  baseUrl.replace(/\/$/, '') + managePath(secrets, managed);

export const managePath = (secrets: Secrets, managed: Managed): string =>
  `/book/manage/${manageToken(secrets, managed)}`;

/** Both ids and who vouches for them: the same for an appointment as long as the secret key is. */
function manageToken(secrets: Secrets, { subAccountId, appointmentId }: Managed): string {
  const named = Buffer.from((subAccountId + appointmentId).replaceAll('-', ''), 'hex');
  return Buffer.concat([named, macOf(secrets, named)]).toString('base64url');
}

/** What a token was made for, or nothing where nobody here made it. */
export function readManageToken(secrets: Secrets, token: string): Managed | undefined {
  if (!TOKEN.test(token)) {
    return undefined;
  }
  const bytes = Buffer.from(token, 'base64url');
  const named = bytes.subarray(0, NAMED_BYTES);
  if (!timingSafeEqual(bytes.subarray(NAMED_BYTES), macOf(secrets, named))) {
    return undefined;
  }
  return {
    subAccountId: uuidOf(named.subarray(0, ID_BYTES)),
    appointmentId: uuidOf(named.subarray(ID_BYTES)),
  };
}

const macOf = (secrets: Secrets, named: Buffer): Buffer =>
  createHmac('sha256', secrets.derive('manage-links'))
    .update(named)
    .digest()
    .subarray(0, MAC_BYTES);

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
