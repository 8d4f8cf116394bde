import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receivers {
  readonly urls: readonly string[];
  /** The number of arrivals, by receiver and event id. */
  readonly arrivals: readonly ReadonlyMap<string, number>[];
}

/** Starts receivers that accept every delivery, each under its own path; `resources` close them. */
export async function startReceivers(
  count: number,
  resources: AsyncDisposableStack,
): Promise<Receivers> {
  const arrivals = Array.from({ length: count }, () => new Map<string, number>());
  const server = createServer((request, response) => {
    const id = String(request.headers['x-webhook-event-id']);
    const at = arrivals[Number(request.url?.slice(1))];
    at?.set(id, (at.get(id) ?? 0) + 1);
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { urls: arrivals.map((_, index) => `http://127.0.0.1:${port}/${index}`), arrivals };
}
