import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { machineMs } from '../machine.ts';

/** Arrivals since the last reset; times use the machine's clock. */
export interface Count {
  readonly count: number;
  /** Bytes of all bodies. */
  readonly bytes: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** One of the first posts since the reset. */
export interface Arrival {
  readonly atMs: number;
  readonly body: string;
}

/** Later bodies are only counted: storing them would distort the measurement. */
const KEPT_MAX = 200;

/**
 * The receiver of webhooks: node:http in its own process. Answers 204 to every complete post, and
 * counts. GET /count and GET /arrivals return the arrivals, DELETE /count resets them.
 */
let count = 0;
let bytes = 0;
let firstMs = 0;
let lastMs = 0;
let arrivals: Arrival[] = [];

function receive(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    lastMs = machineMs();
    firstMs ||= lastMs;
    count += 1;
    for (const chunk of chunks) {
      bytes += chunk.length;
    }
    if (arrivals.length < KEPT_MAX) {
      arrivals.push({ atMs: lastMs, body: Buffer.concat(chunks).toString() });
    }
    response.writeHead(204).end();
  });
}

function answer({ method, url }: IncomingMessage): readonly Arrival[] | Count {
  if (method === 'DELETE') {
    count = bytes = firstMs = lastMs = 0;
    arrivals = [];
  }
  return url === '/arrivals' ? arrivals : { count, bytes, firstMs, lastMs };
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    receive(request, response);
  } else {
    response.end(JSON.stringify(answer(request)));
  }
});
server.listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
