const SLAB_MIN_BYTES = 1024;
const SLAB_MAX_BYTES = 64 * 1024;
/** Smaller chunks are copied: each costs hundreds of bytes besides its content. */
const KEPT_MIN_BYTES = 4 * 1024;

/** Chunks of a body, put together. */
export interface Collector {
  readonly size: number;
  add(chunk: Buffer): void;
  bytes(): Buffer;
}

/**
 * Collects chunks: large ones as they are, small ones copied into slabs that grow with the body, so
 * that a body sent byte by byte uses little more than its size. Calls `reserve` before it uses memory.
 */
export function collectBytes(
  limitBytes = Infinity,
  reserve: (bytes: number) => void = () => undefined,
): Collector {
  const pieces: Buffer[] = [];
  let slab = Buffer.alloc(0);
  let used = 0;
  let size = 0;
  /** Ends the slab in use; its free rest stays reserved. */
  const endSlab = () => {
    if (used > 0) {
      pieces.push(slab.subarray(0, used));
    }
    slab = Buffer.alloc(0);
    used = 0;
  };
  const copy = (chunk: Buffer) => {
    for (let copied = 0; copied < chunk.length;) {
      if (used === slab.length) {
        endSlab();
        const wanted = Math.min(Math.max(size, SLAB_MIN_BYTES), SLAB_MAX_BYTES);
        const length = Math.max(1, Math.min(wanted, limitBytes - size));
        reserve(length);
        slab = Buffer.allocUnsafeSlow(length);
      }
      const taken = chunk.copy(slab, used, copied);
      copied += taken;
      used += taken;
      size += taken;
    }
  };
  return {
    get size() {
      return size;
    },
    add(chunk) {
      // Most bodies are one chunk.
      if (size > 0 && chunk.length < KEPT_MIN_BYTES) {
        copy(chunk);
      } else {
        reserve(chunk.length);
        endSlab();
        pieces.push(chunk);
        size += chunk.length;
      }
    },
    bytes() {
      endSlab();
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size);
    },
  };
}
