import type { KeyObject } from 'node:crypto';

/** What the installation's secret key is good for. */
export interface Secrets {
  /** Encrypts for storage. `place` says where it will lie, so that it cannot be moved elsewhere. */
  seal(plain: string, place: string): Buffer;
  /** Throws when the bytes were altered, moved, or sealed under another key. */
  open(sealed: Buffer, place: string): string;
  /** A key of its own for another purpose, the same in every process. */
  derive(purpose: string): KeyObject;
}
