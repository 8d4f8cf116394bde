import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Sink {
  readonly url: string;
  /** The number of arrivals by event id. */
  readonly arrivals: ReadonlyMap<string, number>;
}

/** Accepts every delivery and stores the event ids; `resources` close it. */
export async function startSink(resources: AsyncDisposableStack): Promise<Sink> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['x-webhook-event-id']);
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, arrivals };
}
