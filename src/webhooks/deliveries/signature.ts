import { createHmac, type KeyObject } from 'node:crypto';

/** The whole secrets as shown to the caller, as UTF-8 bytes (contract 6). */
export interface SigningKeys {
  readonly current: KeyObject;
  /** The previous secret, during its grace period. */
  readonly previous?: KeyObject | undefined;
}

/** Returns both signatures of a delivery, and one by the previous secret during its grace period. */
export function signatureHeaders(
  { current, previous }: SigningKeys,
  body: string,
  timestampMs: number,
): Record<string, string> {
  const headers: Record<string, string> = {
    'x-webhook-signature': hmac(current, body),
    'x-webhook-signature-v2': hmac(current, `${timestampMs}.${body}`),
    'x-webhook-timestamp': String(timestampMs),
  };
  if (previous) {
    headers['x-webhook-signature-previous'] = hmac(previous, body);
  }
  return headers;
}

const hmac = (key: KeyObject, text: string): string =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;
