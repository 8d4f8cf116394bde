import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedCall } from '#core/endpoint/signed-endpoint.ts';
import { Fault } from '#core/fault.ts';

interface Signature {
  /** The name of the header, as error messages show it. */
  readonly header: string;
  readonly secret: string;
  /** Default: 1 MiB. */
  readonly limitBytes?: number;
}

/**
 * Returns the body of a call that is signed with `sha256=` and its HMAC in hex. Throws UNAUTHORIZED
 * otherwise; for a missing or malformed header, before the body is read.
 */
export async function readSigned(
  { header, bytes }: Pick<SignedCall<unknown>, 'header' | 'bytes'>,
  { header: name, secret, limitBytes }: Signature,
): Promise<Buffer> {
  const given = header(name.toLowerCase());
  if (!SIGNATURE.test(given ?? '')) {
    throw wrongSignature(`${name} must be sha256= followed by the HMAC-SHA256 of the body in hex`);
  }
  const body = await bytes(limitBytes);
  if (!isSigned(body, secret, given)) {
    throw wrongSignature(
      `${name} does not match this body: sign its raw bytes with the secret of the channel`,
    );
  }
  return body;
}

const SIGNATURE = /^sha256=([\da-f]{64})$/i;

/** Whether the header is `sha256=` and the HMAC of the bytes under the secret, in hex. */
export function isSigned(bytes: Buffer, secret: string, given = ''): boolean {
  const hex = SIGNATURE.exec(given)?.[1];
  return (
    hex !== undefined &&
    timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(bytes).digest())
  );
}

export const wrongSignature = (message: string): Fault => new Fault('UNAUTHORIZED', message);
