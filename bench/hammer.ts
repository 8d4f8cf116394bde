import { Worker } from 'node:worker_threads';

/** HTTP/1.1 requests as bytes for one server, sent in turn over connections that stay open. */
export interface Load {
  readonly origin: string;
  readonly requests: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** A 4xx is an answer like any other: what is asked for may be gone. */
  readonly mayRefuse?: boolean;
}

export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Stands in a request for a number that no other request has; of fixed width, so that lengths hold. */
export const UNIQUE = 'U'.repeat(16);

/** The text of a request; `headers` are whole lines. */
export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  const lengths = body
    ? ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]
    : [];
  const head = [`${line} HTTP/1.1`, 'host: localhost', ...headers, ...lengths];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * A closed loop: each connection sends its next request when the answer to the last is there. On a
 * thread of its own. Rejects on any answer but 2xx, and refusals where they may be.
 */
export function hammer(load: Load): Promise<Round> {
  const { promise, resolve, reject } = Promise.withResolvers<Round>();
  const worker = new Worker(new URL('hammer-worker.ts', import.meta.url), { workerData: load });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the load generator ended without a result')));
  return promise;
}
