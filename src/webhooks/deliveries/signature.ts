import { createHmac, type KeyObject } from 'node:crypto';

/** Keys of a subscription: the shown secrets whole, as UTF-8 bytes (contract 6). */
export interface SigningKeys {
  readonly current: KeyObject;
  /** Of the secret before, while its grace period lasts. */
  readonly previous?: KeyObject | undefined;
}

/** Both signatures of a delivery, and the old secret's where it is still in use. */
export function signatureHeaders(
  { current, previous }: SigningKeys,
  body: string,
  timestampMs: number,
): Record<string, string> {
  return {
    'x-webhook-signature': hmac(current, body),
    'x-webhook-signature-v2': hmac(current, `${timestampMs}.${body}`),
    'x-webhook-timestamp': String(timestampMs),
    ...(previous && { 'x-webhook-signature-previous': hmac(previous, body) }),
  };
}

const hmac = (key: KeyObject, text: string): string =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;
