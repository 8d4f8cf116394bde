import { hmacKey, signerOf, type HmacKey } from '#lib/hmac.ts';

/** The keys that a secret stands for. */
export interface SigningKey {
  /** The whole secret as shown to the caller, as UTF-8 bytes (contract 6). */
  readonly whole: HmacKey;
  /** The bytes whose base64 follows `whsec_`; undefined if that part is not base64. */
  readonly standard: HmacKey | undefined;
}

/** Frontdesk's own secrets always have both keys. */
export function signingKey(secret: string): SigningKey {
  const encoded = secret.slice(PREFIX.length);
  const isBase64 = secret.startsWith(PREFIX) && BASE64.test(encoded) && encoded.length % 4 === 0;
  return {
    whole: hmacKey(Buffer.from(secret, 'utf8')),
    standard: isBase64 ? hmacKey(Buffer.from(encoded, 'base64')) : undefined,
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
  const sign = signerOf(body);
  const headers: Record<string, string> = {
    'x-webhook-signature': `sha256=${sign(current.whole, '', 'hex')}`,
    'x-webhook-signature-v2': `sha256=${sign(current.whole, `${timestampMs}.`, 'hex')}`,
    'x-webhook-timestamp': String(timestampMs),
  };
  if (previous) {
    headers['x-webhook-signature-previous'] = `sha256=${sign(previous.whole, '', 'hex')}`;
  }
  if (current.standard) {
    const timestamp = String(Math.floor(timestampMs / 1_000));
    const start = `${eventId}.${timestamp}.`;
    const signature = `v1,${sign(current.standard, start, 'base64')}`;
    headers['webhook-id'] = eventId;
    headers['webhook-timestamp'] = timestamp;
    headers['webhook-signature'] = previous?.standard
      ? `${signature} v1,${sign(previous.standard, start, 'base64')}`
      : signature;
  }
  return headers;
}
