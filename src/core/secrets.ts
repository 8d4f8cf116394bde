import type { KeyObject } from 'node:crypto';

/** Functions of the installation's secret key. */
export interface Secrets {
  /** Encrypts for storage at `place`: the result cannot be used in another place. */
  seal(plain: string, place: string): Buffer;
  /** Decrypts. Throws if the bytes were altered, moved, or sealed with another key. */
  open(sealed: Buffer, place: string): string;
  /** Returns a key for one purpose, the same in every process. */
  derive(purpose: string): KeyObject;
}
