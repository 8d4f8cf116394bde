import { Worker } from 'node:worker_threads';

/** HTTP/1.1 requests as bytes for one server, sent over persistent connections. */
export interface Load {
  readonly origin: string;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** A 4xx counts as a response: records may have been deleted. */
  readonly mayRefuse?: boolean;
}

export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A placeholder for a unique number, of fixed width, so that content lengths stay valid. */
export const UNIQUE = 'U'.repeat(16);

/** Returns the text of a request; `headers` are complete lines. */
export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  const lengths = body
    ? ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]
    : [];
  const head = [`${line} HTTP/1.1`, 'host: localhost', ...headers, ...lengths];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * A closed loop in its own thread: each connection sends its next request after the response to the
 * last. Rejects on a response other than 2xx, or a 4xx where that is allowed.
 */
export function hammer(load: Load): Promise<Round> {
  const { promise, resolve, reject } = Promise.withResolvers<Round>();
  const worker = new Worker(new URL('hammer-worker.ts', import.meta.url), { workerData: load });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the load generator ended without a result')));
  return promise;
}
