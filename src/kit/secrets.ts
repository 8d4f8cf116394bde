/** Encryption at rest under the installation's key. */
export interface Secrets {
  /** Encrypts for storage. `place` says where it will lie, so that it cannot be moved elsewhere. */
  seal(plain: string, place: string): Buffer;
  /** Throws when the bytes were altered, moved, or sealed under another key. */
  open(sealed: Buffer, place: string): string;
}
