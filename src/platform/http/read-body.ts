import type { IncomingMessage } from 'node:http';
import { Fault, invalid } from '#kit/fault.ts';
import { pointerToken } from '#kit/check.ts';

export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Far above any body of ours, far below what would keep the process busy refusing it. */
const DEPTH_MAX = 64;
const VALUES_MAX = 10_000;

/**
 * The raw bytes of a request, up to the limit. What a larger one still sends is read and thrown
 * away: its sender would else meet a reset in place of the answer. The server's request timeout
 * ends whoever goes on and on. (No `for await`: leaving it early tears the socket off the request.)
 */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      reject(tooLarge(limit));
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
      } else {
        chunks.length = 0;
        reject(tooLarge(limit));
      }
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on('close', () => {
      if (!request.complete) {
        reject(refusedBody('', 'ended before it was complete'));
      }
    });
  });
}

/** Parses a JSON body; `undefined` where there is none. */
export function parseJson(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) {
    return undefined;
  }
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
  let text: string;
  let value: unknown;
  try {
    text = strictUtf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw refusedBody('', 'is not JSON');
  }
  const misfit = misfitIn(value, { depth: 0, left: VALUES_MAX });
  if (misfit) {
    throw refusedBody(misfit.path, misfit.message);
  }
  return value;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** What JSON can say and PostgreSQL cannot keep as it was said, or nobody would say in earnest. */
function misfitIn(
  value: unknown,
  budget: { depth: number; left: number },
): { readonly path: string; readonly message: string } | undefined {
  budget.left -= 1;
  const message = budget.left < 0 ? `holds more than ${VALUES_MAX} values` : misfitOf(value);
  if (message) {
    return { path: '', message };
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (budget.depth === DEPTH_MAX) {
    return { path: '', message: `nests deeper than ${DEPTH_MAX} levels` };
  }
  budget.depth += 1;
  for (const [name, member] of Object.entries(value)) {
    const wrongName = misfitOf(name);
    const inside = wrongName ? undefined : misfitIn(member, budget);
    if (wrongName) {
      return { path: '', message: wrongName };
    }
    if (inside) {
      return { ...inside, path: `/${pointerToken(name)}${inside.path}` };
    }
  }
  budget.depth -= 1;
  return undefined;
}

function misfitOf(value: unknown): string | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : 'must be a finite number';
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  if (value.includes('\0')) {
    return 'must not hold a NUL character';
  }
  return value.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}

const refusedBody = (path: string, message: string) => invalid([{ in: 'body', path, message }]);

const tooLarge = (limit: number) =>
  new Fault('PAYLOAD_TOO_LARGE', `the body is larger than ${limit / 1024 / 1024} MiB`);
