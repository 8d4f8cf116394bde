import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault } from '#kit/fault.ts';

/** Whether the header is `sha256=` and the HMAC of the bytes under the secret, in hex. */
export function isSigned(bytes: Buffer, secret: string, given = ''): boolean {
  const hex = /^sha256=([\da-f]{64})$/i.exec(given)?.[1];
  return (
    hex !== undefined &&
    timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(bytes).digest())
  );
}

export const wrongSignature = (message: string): Fault => new Fault('UNAUTHORIZED', message);
