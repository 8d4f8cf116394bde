import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Arrivals at a receiver since its last reset. */
export interface Hooks {
  readonly url: string;
  /** The number of arrivals by event id. */
  readonly arrived: Map<string, number>;
  /** From the first arrival to the last. */
  seconds(): number;
  empty(): void;
  /** The delay of each response, in milliseconds. */
  delayMs: number;
}

export async function receiveHooks(resources: AsyncDisposableStack): Promise<Hooks> {
  const arrived = new Map<string, number>();
  let firstMs = 0;
  let lastMs = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      lastMs = performance.now();
      firstMs ||= lastMs;
      const id = String(request.headers['x-webhook-event-id']);
      arrived.set(id, (arrived.get(id) ?? 0) + 1);
      const answer = () => response.writeHead(204).end();
      if (hooks.delayMs > 0) {
        setTimeout(answer, hooks.delayMs);
      } else {
        answer();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const hooks: Hooks = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived,
    seconds: () => (lastMs - firstMs) / 1_000,
    empty() {
      arrived.clear();
      firstMs = lastMs = 0;
    },
    delayMs: 0,
  };
  return hooks;
}
