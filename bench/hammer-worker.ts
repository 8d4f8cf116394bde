import { createConnection, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { UNIQUE, type Load, type Round } from './hammer.ts';

const HEAD_END = Buffer.from('\r\n\r\n');

// Plain sockets: an HTTP client would use as much of the two cores as the server.
const { origin, requests, connections, seconds, mayRefuse = false } = workerData as Load;
const welcome = mayRefuse ? /^HTTP\/1\.1 [24]/ : /^HTTP\/1\.1 2/;
const { hostname, port } = new URL(origin);
const templates = requests.map((text) => text.split(UNIQUE));
const latencies = createHistogram();
let unique = Date.now() * 1_000;
let next = Math.floor(Math.random() * templates.length);
let running = true;

const sockets = await Promise.all(Array.from({ length: connections }, connected));
const startedAt = performance.now();
const loops = sockets.map(loop);
setTimeout(() => (running = false), seconds * 1_000);
await Promise.all(loops);
const elapsed = (performance.now() - startedAt) / 1_000;
const round: Round = {
  perSecond: latencies.count / elapsed,
  p50Ms: latencies.percentile(50) / 1_000,
  p99Ms: latencies.percentile(99) / 1_000,
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window here
parentPort?.postMessage(round);
sockets.forEach((socket) => socket.destroy());

function connected(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });
}

function loop(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let missing = 0;
    let head = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(nextRequest());
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`${origin} closed a connection`)));
    socket.on('data', (chunk) => {
      if (missing > 0) {
        missing -= chunk.length;
      } else {
        head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk;
        const end = head.indexOf(HEAD_END);
        if (end < 0) {
          return;
        }
        missing = bodyLength(head, end) - (head.length - end - HEAD_END.length);
        head = Buffer.alloc(0);
      }
      if (missing === 0) {
        latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)));
        return running ? send() : resolve();
      }
    });
    send();
  });
}

function nextRequest(): string {
  next = (next + 1) % templates.length;
  const parts = templates[next] ?? [];
  return parts.length === 1 ? (parts[0] ?? '') : parts.join(String((unique += 1)));
}

function bodyLength(bytes: Buffer, end: number): number {
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (!welcome.test(head) || length === undefined) {
    throw new Error(`${origin} answered ${head.split('\r\n')[0]}: ${bytes.toString('utf8', end)}`);
  }
  return Number(length);
}
