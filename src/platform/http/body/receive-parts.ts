import type { IncomingMessage } from 'node:http';
import { Fault } from '#core/fault.ts';
import { collectBytes } from '#lib/collect-bytes.ts';
import { compressionRefusal, refusedBody, tooLarge } from './read.ts';

const PART_BYTES = 256 * 1024;

interface Upload {
  /** The content type, without parameters. */
  readonly type: string;
  readonly limitBytes: number;
}

/**
 * Yields the parts of a body, so that a large file never is in memory as a whole. Throws
 * UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, or VALIDATION_ERROR for an empty or incomplete body. The rest
 * of a refused body is discarded.
 */
export async function* receiveParts(
  request: IncomingMessage,
  { type, limitBytes }: Upload,
): AsyncGenerator<Buffer> {
  try {
    const refusal = typeRefusal(request, type) ?? compressionRefusal(request);
    if (refusal) {
      throw refusal;
    }
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
      throw tooLarge(limitBytes);
    }
    let sizeBytes = 0;
    let part = collectBytes();
    for await (const chunk of chunksOf(request)) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) {
        throw tooLarge(limitBytes);
      }
      part.add(chunk);
      if (part.size >= PART_BYTES) {
        yield part.bytes();
        part = collectBytes();
      }
    }
    if (sizeBytes === 0) {
      throw refusedBody('', `is required; send the file as ${type}`);
    }
    if (part.size > 0) {
      yield part.bytes();
    }
  } finally {
    request.resume();
  }
}

function typeRefusal({ headers }: IncomingMessage, type: string): Fault | undefined {
  const [given = ''] = (headers['content-type'] ?? '').split(';');
  const message = `the body must be a file: send Content-Type: ${type}`;
  return given.trim().toLowerCase() === type
    ? undefined
    : new Fault('UNSUPPORTED_MEDIA_TYPE', message);
}

/** Leaving the loop early must not destroy the socket, on which the refusal is sent. */
async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      yield chunk as Buffer;
    }
  } catch (error) {
    throw request.complete ? error : refusedBody('', 'ended before it was complete');
  }
}
