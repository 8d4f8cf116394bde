import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The keys that a secret stands for. */
export interface SigningKey {
  /** The whole secret as shown to the caller, as UTF-8 bytes (contract 6). */
  readonly whole: KeyObject;
  /** The bytes whose base64 follows `whsec_`; undefined if that part is not base64. */
  readonly standard: KeyObject | undefined;
}

/** Frontdesk's own secrets always have both keys. */
export function signingKey(secret: string): SigningKey {
  const encoded = secret.slice(PREFIX.length);
  const isBase64 = secret.startsWith(PREFIX) && BASE64.test(encoded) && encoded.length % 4 === 0;
  return {
    whole: createSecretKey(secret, 'utf8'),
    standard: isBase64 ? createSecretKey(encoded, 'base64') : undefined,
  };
}

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export interface SigningKeys {
  readonly current: SigningKey;
  /** The previous secret, during its grace period. */
  readonly previous?: SigningKey | undefined;
}

interface Signed {
  readonly eventId: string;
  readonly body: string;
  readonly timestampMs: number;
}

/**
 * Returns the signatures of a delivery: two of our own, one of Standard Webhooks, and those by the
 * previous secret during its grace period.
 */
export function signatureHeaders(
  { current, previous }: SigningKeys,
  { eventId, body, timestampMs }: Signed,
): Record<string, string> {
  const headers: Record<string, string> = {
    'x-webhook-signature': `sha256=${hmac(current.whole, '', body, 'hex')}`,
    'x-webhook-signature-v2': `sha256=${hmac(current.whole, `${timestampMs}.`, body, 'hex')}`,
    'x-webhook-timestamp': String(timestampMs),
  };
  if (previous) {
    headers['x-webhook-signature-previous'] = `sha256=${hmac(previous.whole, '', body, 'hex')}`;
  }
  if (current.standard) {
    const timestamp = String(Math.floor(timestampMs / 1_000));
    const start = `${eventId}.${timestamp}.`;
    const signature = `v1,${hmac(current.standard, start, body, 'base64')}`;
    headers['webhook-id'] = eventId;
    headers['webhook-timestamp'] = timestamp;
    headers['webhook-signature'] = previous?.standard
      ? `${signature} v1,${hmac(previous.standard, start, body, 'base64')}`
      : signature;
  }
  return headers;
}

/** Signs start and body one after the other: joining them would copy the body. */
function hmac(key: KeyObject, start: string, body: string, encoding: 'hex' | 'base64'): string {
  const signing = createHmac('sha256', key);
  return (start === '' ? signing : signing.update(start)).update(body).digest(encoding);
}
