import { randomInt } from 'node:crypto';

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** So many characters, each of 5.95 bits from the system's random source. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
