import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 1;

/** Parses FRONTDESK_SECRET_KEY: 32 bytes in base64. Returns undefined for anything else. */
export function readSecretKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z\d+/_-]+={0,2}$/.test(text.trim());
  return isBase64 && key.length === KEY_BYTES ? key : undefined;
}

export const newSecretKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** The key itself is not exposed. */
export function secretsOf(key: Buffer): Secrets {
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `frontdesk/${purpose}`, KEY_BYTES)));
  const atRest = derive('at-rest');
  return {
    derive,
    seal(plain, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', atRest, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, place) {
      const nonceEnd = 1 + NONCE_BYTES;
      const tagEnd = nonceEnd + TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', atRest, sealed.subarray(1, nonceEnd))
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(nonceEnd, tagEnd));
      return decipher.update(sealed.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
